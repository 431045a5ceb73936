import { formatCount } from "../../diagnostics/format-count.js";
import { runScaffold, type ScaffoldResult } from "../../scaffold/index.js";
import type { Command, Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import { visible } from "../../diagnostics/invisible.js";
import { reportFindings } from "../reporters/findings.js";

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
Existing code is not changed: handlers are added, never changed or removed.

Exit codes:
  0  handlers were added, or none are missing
  1  --check found missing handlers
  2  invalid usage, or a file that can't be parsed; the file is not changed
  3  the description can't be used`;

/** Command `gen scaffold`: writes a service for a generated server. */
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
      description: "file of the service; created if missing, else extended",
    },
    {
      name: "main",
      kind: "text",
      value: "file",
      description:
        "also create a file that starts an HTTP server, if that file is missing",
    },
    {
      name: "generated",
      kind: "text",
      value: "dir",
      default: "generated",
      description: "folder with the generated server",
    },
    {
      name: "server",
      kind: "text",
      value: "module",
      description:
        "module of the generated server: a path such as ./generated/drive/v3/server.js, or a module of a package",
    },
    {
      name: "check",
      kind: "switch",
      description: "write nothing; exit with 1 if handlers are missing",
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
  reportFindings(result.diagnostics, "text", output);
  const worst = exitCodeOf(result.diagnostics);
  if (worst !== undefined) return worst;
  output.out(summary(result, isDry));
  const isChanged = result.files.some(({ action }) => action !== "same");
  return check === true && isChanged ? 1 : 0;
}

function summary({ files, added }: ScaffoldResult, isDry: boolean): string {
  const handlers = added.map((name) => `add ${visible(name)}`);
  const lines = files.map(({ path, action }) => `${action} ${visible(path)}`);
  const count = `${formatCount(added.length, "handler")} ${isDry ? "to add" : "added"}`;
  return [...(isDry ? handlers : []), ...lines, count, ""].join("\n");
}
