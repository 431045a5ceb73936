import path from "node:path";
import { version } from "#built/runtime.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { Sink } from "../../diagnostics/sink.js";
import {
  compareOperands,
  type Comparison,
  type Comparisons,
} from "../../diff/compare.js";
import { lockedNames, lockFiles } from "../../diff/lock-operands.js";
import { IgnoreList } from "../../diff/ignore.js";
import { FORMATS, reportOf, type Format } from "../../diff/reporters/index.js";
import {
  mostSevere,
  STABILITIES,
  type Stability,
} from "../../diff/severity.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { UsageError, type Command, type Context } from "../command.js";
import { projectFinder } from "../diff-project.js";
import type { DocumentPatches } from "../document-patches.js";
import { exitCodeOf } from "../exit-code.js";

interface Values {
  readonly documents: readonly string[];
  readonly format: Format;
  readonly failOn: "breaking" | "any" | "none";
  readonly ignore?: string;
  readonly stability: Stability;
  readonly trustProse?: boolean;
  readonly specs?: string;
  readonly patch?: readonly string[];
  readonly verbose?: boolean;
  readonly noConfig?: boolean;
}

const HELP = `
OLD and NEW are files, folders, globs, locked documents such as drive:v3, lock
files, or git:REVISION:PATH such as git:main:specs. Documents in folders are matched by the
id of their API.

Exit codes:
  0  no change at or above --fail-on
  1  a change at or above --fail-on
  2  invalid usage, unknown revision, or unused entry in the --ignore file
  3  a document can't be used
  4  a patch does not apply to a document`;

/** Command `gen diff`: compares documents. */
export const diff: Command = {
  operands: {
    name: "documents",
    description: "OLD and NEW",
    isMany: true,
  },
  options: [
    {
      name: "format",
      kind: "choice",
      value: "name",
      choices: FORMATS,
      default: "text",
      description: "format of the report",
    },
    {
      name: "failOn",
      kind: "choice",
      value: "changes",
      choices: ["breaking", "any", "none"],
      default: "breaking",
      description: "lowest severity of changes that results in exit code 1",
    },
    {
      name: "ignore",
      kind: "text",
      value: "file",
      description:
        "file with fingerprints of changes to ignore, one per line; an unused entry is an error",
    },
    {
      name: "stability",
      kind: "choice",
      value: "level",
      choices: STABILITIES,
      default: "alpha",
      description:
        "lowest stability of an API version at which changes count as breaking; in less stable versions, breaking changes are reported as warnings",
    },
    {
      name: "trustProse",
      kind: "switch",
      description: "compare the types that are generated with --trust-prose",
    },
    {
      name: "patch",
      kind: "list",
      value: "file",
      description:
        "patch file to apply to the old and the new document of the API that the patch names; repeatable",
    },
    {
      name: "specs",
      kind: "text",
      value: "dir",
      description:
        "folder of fetched documents (default: the folder in the config, or ./specs)",
    },
    {
      name: "verbose",
      kind: "switch",
      description: "include changes with severity info in text reports",
    },
  ],
  variables: "DIFF_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const [old, now, ...others] = values.documents;
  if (old === undefined || now === undefined || others.length > 0)
    throw new UsageError("expected two arguments: OLD and NEW; see --help");
  const sink = new Sink(values.ignore);
  const findProject = projectFinder(values.specs, cwd, values.noConfig);
  const ignore = readIgnoreList(values.ignore, cwd, sink);
  const edit = await patchesOf(values, cwd, sink);
  const { comparisons, diagnostics, isSet }: Comparisons = sink.hasErrors
    ? { comparisons: [], diagnostics: sink.diagnostics, isSet: false }
    : await compareOperands(old, now, {
        ...values,
        cwd,
        ignore,
        edit: edit?.edit,
        resolvers: [lockedNames(findProject), lockFiles(findProject)],
      });
  const findings = [...diagnostics, ...(edit?.unused() ?? [])];
  for (const finding of findings)
    if (finding.severity !== "info")
      output.err(paragraph(finding, output.color));
  const { format, verbose } = values;
  // If the comparison failed, nothing is printed on standard output, because
  // scripts expect the JSON of a complete comparison.
  if (comparisons.length > 0 || diagnostics.length === 0)
    output.out(
      reportOf(comparisons, {
        format,
        isSet,
        version,
        color: output.color && process.stdout.isTTY === true,
        isVerbose: verbose === true,
      }),
    );
  return exitCode(comparisons, findings, values.failOn);
}

/** Reads the patch files given with `--patch`. Reports invalid files. */
async function patchesOf(
  { patch = [] }: Values,
  cwd: string,
  sink: Sink,
): Promise<DocumentPatches | undefined> {
  if (patch.length === 0) return undefined;
  const { readDocumentPatches } = await import("../document-patches.js");
  return readDocumentPatches(patch, cwd, sink);
}

function readIgnoreList(
  file: string | undefined,
  cwd: string,
  sink: Sink,
): IgnoreList | undefined {
  if (file === undefined) return undefined;
  try {
    const text = readFileLimited(path.resolve(cwd, file)).toString();
    return new IgnoreList(text, file);
  } catch (error) {
    sink.report("diff-ignore-invalid", `${file}: ${(error as Error).message}`);
    return undefined;
  }
}

function exitCode(
  comparisons: readonly Comparison[],
  diagnostics: readonly Diagnostic[],
  failOn: Values["failOn"],
): number {
  const failure = exitCodeOf(diagnostics);
  if (failure !== undefined) return failure;
  const changes = comparisons.flatMap(({ result }) => result.changes);
  const fails =
    failOn === "any"
      ? changes.length > 0
      : failOn === "breaking" &&
        changes.some((change) => mostSevere(change) === "breaking");
  return fails ? 1 : 0;
}
