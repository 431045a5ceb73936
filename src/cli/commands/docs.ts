import { visible } from "../../diagnostics/reporters/output.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { generateSite } from "../../site/static/generate-site.js";
import type { Command, Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";

interface Values {
  readonly spec: readonly string[];
  readonly out: string;
  readonly quiet?: boolean;
}

const EXIT_CODES = `
The site can be opened from files or served by any web server. index.html lists the APIs.

Exit codes:
  0  the site was written
  2  invalid usage, or the folder can't be written
  3  a description is invalid; the site contains the other APIs`;

/** Command `gen docs`: writes a static site with the reference of APIs. */
export const docs: Command = {
  options: [
    {
      name: "spec",
      kind: "list",
      value: "source",
      required: true,
      description: "description documents: file, folder or glob; repeatable",
    },
    {
      name: "out",
      kind: "text",
      value: "dir",
      required: true,
      description:
        "folder of the site; it must be empty or contain a site that this command wrote",
    },
    { name: "quiet", kind: "switch", description: "show only errors" },
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { spec, out, quiet }: Values,
  { cwd, output }: Context,
): Promise<number> {
  const { documents, written, diagnostics } = await generateSite(
    spec,
    out,
    cwd,
  );
  for (const finding of diagnostics)
    if (finding.severity === "error")
      output.err(paragraph(finding, output.color));
  if (written !== undefined && quiet !== true) {
    const size = (written.bytes / 1e6).toFixed(1);
    output.out(
      `${written.files} files (${size} MB) for ${documents} ${documents === 1 ? "document" : "documents"} written to ${visible(out)}\n`,
    );
  }
  return exitCodeOf(diagnostics) ?? 0;
}
