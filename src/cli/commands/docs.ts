import { visible } from "../../diagnostics/invisible.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import {
  generateSite,
  type SiteContent,
} from "../../site/static/build-site.js";
import { tryOriginOf } from "../../site/try-form.js";
import { UsageError, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";

interface Values {
  readonly spec: readonly string[];
  readonly out: string;
  readonly previous?: readonly string[];
  readonly since?: string;
  readonly tryIt?: readonly string[];
  readonly quiet?: boolean;
  readonly noConfig?: boolean;
}

const EXIT_CODES = `
The site can be opened from files or served by any web server. index.html lists the APIs.
With --previous or --since, the site shows the changes since the previous documents,
which are matched by API name and version.

Exit codes:
  0  the site was written
  2  invalid usage, or the folder can't be written
  3  a description is invalid; the site contains the other APIs`;

/**
 * Command `gen docs`: writes a static site with reference documentation of
 * APIs.
 */
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
    {
      name: "previous",
      kind: "list",
      value: "source",
      description:
        "previous documents, given in the same way as OLD of gen diff: file, folder, glob, locked document, lock file or git:REVISION:PATH; repeatable",
    },
    {
      name: "since",
      kind: "text",
      value: "revision",
      description:
        "git revision from which the previous versions of the documents are read",
    },
    {
      name: "tryIt",
      kind: "list",
      value: "origin",
      description:
        "add forms that send requests to this origin, such as https://api.example.com; self is the origin of the site; repeatable",
    },
    { name: "quiet", kind: "switch", description: "show only errors" },
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const { spec, out, quiet } = values;
  const tryOrigins = originsOf(values.tryIt ?? []);
  const previous = await changesOf(values, cwd);
  const failure = exitCodeOf(previous.diagnostics);
  printErrors(previous.diagnostics, output);
  // If the comparison failed, no site is written, because a site that lists no
  // changes would be misleading.
  if (failure !== undefined) return failure;
  const { documents, written, diagnostics } = await generateSite(
    spec,
    out,
    cwd,
    { ...previous.content, tryOrigins },
  );
  printErrors(diagnostics, output);
  if (written !== undefined && quiet !== true) {
    const size = (written.bytes / 1e6).toFixed(1);
    output.out(
      `${written.files} files (${size} MB) for ${documents} ${documents === 1 ? "document" : "documents"} written to ${visible(out)}\n`,
    );
  }
  return exitCodeOf(diagnostics) ?? 0;
}

function originsOf(values: readonly string[]): string[] {
  return values.map((value) => {
    const origin = tryOriginOf(value);
    if (origin !== undefined) return origin;
    throw new UsageError(
      `--try-it must be "self" or an origin such as https://api.example.com, not ${JSON.stringify(visible(value).slice(0, 200))}`,
    );
  });
}

/**
 * Compares the documents with their previous versions, if `--previous` or
 * `--since` is given.
 */
async function changesOf(
  { spec, previous, since, noConfig }: Values,
  cwd: string,
): Promise<{
  readonly content: SiteContent;
  readonly diagnostics: readonly Diagnostic[];
}> {
  if (previous === undefined && since === undefined)
    return { content: {}, diagnostics: [] };
  if (previous !== undefined && since !== undefined)
    throw new UsageError("--previous and --since can't be combined");
  const { compareSiteDocuments } = await import("../site-changes.js");
  return compareSiteDocuments(spec, { previous, since }, cwd, noConfig);
}

function printErrors(
  diagnostics: readonly Diagnostic[],
  output: Context["output"],
): void {
  for (const finding of diagnostics)
    if (finding.severity === "error")
      output.err(paragraph(finding, output.color));
}
