import { runScaffold, type Scaffolded } from "../../scaffold/index.js";
import type { Command, Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import { visible } from "../../diagnostics/reporters/output.js";
import { paragraph } from "../../diagnostics/reporters/text.js";

interface Values {
  readonly spec: readonly string[];
  readonly out: string;
  readonly main?: string;
  readonly server?: string;
  readonly generated: string;
  readonly check?: boolean;
  readonly dryRun?: boolean;
}

const EXIT_CODES = `
Handlers are added; existing code is never changed or removed.

Exit codes:
  0  written, or up to date
  1  --check: there are handlers to add
  2  invalid usage, or a file that can't be changed
  3  the description is invalid`;

/** Writes a service for a generated server. */
export const scaffold: Command = {
  options: [
    {
      name: "spec",
      kind: "list",
      value: "source",
      required: true,
      description: "description document",
    },
    {
      name: "out",
      kind: "text",
      value: "file",
      required: true,
      description: "file with the service, which may exist",
    },
    {
      name: "main",
      kind: "text",
      value: "file",
      description: "also write a file that starts the server, unless it exists",
    },
    {
      name: "generated",
      kind: "text",
      value: "dir",
      default: "generated",
      description: "output folder with the generated server",
    },
    {
      name: "server",
      kind: "text",
      value: "module",
      description:
        "module of the generated server: a path such as ./generated/drive/v3/server.js, or a package",
    },
    {
      name: "check",
      kind: "switch",
      description:
        "compare without writing; exit with 1 if there are handlers to add",
    },
    {
      name: "dryRun",
      kind: "switch",
      excludes: "check",
      description: "print the handlers that would be added, without writing",
    },
  ],
  variables: "SCAFFOLD_",
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, context: Context): Promise<number> {
  const { spec, check, dryRun } = values;
  const { cwd, output } = context;
  const isDry = check === true || dryRun === true;
  const result = await runScaffold({ ...values, specs: spec, cwd, isDry });
  for (const finding of result.diagnostics)
    if (finding.severity !== "info")
      output.err(paragraph(finding, output.color));
  const failure = exitCodeOf(result.diagnostics);
  if (failure !== undefined) return failure;
  output.out(summary(result, isDry));
  const isChanged = result.files.some(({ action }) => action !== "same");
  return check === true && isChanged ? 1 : 0;
}

function summary({ files, added }: Scaffolded, isDry: boolean): string {
  const handlers = added.map((name) => `add ${visible(name)}`);
  const lines = files.map(({ path, action }) => `${action} ${visible(path)}`);
  const count = `${added.length} handler${added.length === 1 ? "" : "s"} ${isDry ? "to add" : "added"}`;
  return [...(isDry ? handlers : []), ...lines, count, ""].join("\n");
}
