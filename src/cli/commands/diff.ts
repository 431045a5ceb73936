import path from "node:path";
import { version } from "#built/runtime.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { Sink } from "../../diagnostics/sink.js";
import {
  compareListed,
  compareOperands,
  type CompareOptions,
  type Comparisons,
} from "../../diff/compare.js";
import {
  listState,
  lockedNames,
  lockFiles,
  type FindProject,
} from "../../diff/lock-operands.js";
import { FAIL_ON, type FailOn } from "../../config/gen-config.js";
import { DiffPolicy } from "../../diff/policy.js";
import { IgnoreList } from "../../diff/ignore.js";
import { FORMATS, reportOf, type Format } from "../../diff/reporters/index.js";
import {
  AUDIENCES,
  STABILITIES,
  type Audience,
  type Stability,
} from "../../diff/severity.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { UsageError, type Command, type Context } from "../command.js";
import {
  areFiles,
  projectFinder,
  readDiffConfig,
  userCode,
  SPECS_OPTION,
  USES_OPTION,
  withUses,
  type DiffConfig,
} from "../diff-project.js";
import type { DocumentPatches } from "../document-patches.js";
import { exitCodeOf } from "../exit-code.js";

interface Values {
  readonly documents?: readonly string[];
  readonly format: Format;
  readonly failOn?: FailOn;
  readonly for?: readonly Audience[];
  readonly since?: string;
  readonly all?: boolean;
  readonly ignore?: string;
  readonly stability: Stability;
  readonly trustProse?: boolean;
  readonly specs?: string;
  readonly patch?: readonly string[];
  readonly uses?: readonly string[];
  readonly verbose?: boolean;
  readonly noConfig?: boolean;
}

const HELP = `
OLD and NEW are files, folders, globs, locked documents such as drive:v3, lock
files, or git:REVISION:PATH such as git:main:specs. Documents in folders are matched by the
id of their API. Without OLD and NEW, the documents of the project are compared
with those of the last commit, or of --since.

The section diff of the config contains a policy: which changes fail, severities of
rules, and accepted changes. It does not apply to two files.

Exit codes:
  0  no change at or above --fail-on
  1  a change at or above --fail-on
  2  invalid usage or config, unknown revision, or unused entry in the --ignore file
  3  a document can't be used
  4  a patch does not apply to a document`;

/** Command `gen diff`: compares documents. */
export const diff: Command = {
  operands: {
    name: "documents",
    description: "OLD and NEW",
    isMany: true,
    isOptional: true,
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
      choices: FAIL_ON,
      description:
        "lowest severity of changes that results in exit code 1 (default: that of the config, or breaking)",
    },
    {
      name: "for",
      kind: "choices",
      value: "audiences",
      choices: AUDIENCES,
      description:
        "audiences whose severities count, separated by commas (default: those of the config's targets, or all)",
    },
    {
      name: "since",
      kind: "text",
      value: "revision",
      description:
        "Git revision with which the documents of the project are compared (default: HEAD)",
    },
    {
      name: "all",
      kind: "switch",
      description:
        "compare complete documents of the config, without its patches and selections",
    },
    USES_OPTION,
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
    SPECS_OPTION,
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
  const { documents = [], since, format, verbose } = values;
  if (documents.length !== 0 && documents.length !== 2)
    throw new UsageError("expected two arguments: OLD and NEW; see --help");
  if (documents.length === 2 && since !== undefined)
    throw new UsageError("--since can't be used with OLD and NEW");
  const sink = new Sink(values.ignore);
  const findProject = projectFinder(values.specs, cwd, values.noConfig);
  const ignore = readIgnoreList(values.ignore, cwd, sink);
  const edit = await patchesOf(values, cwd, sink);
  const hasConfig = values.noConfig !== true && !areFiles(documents, cwd);
  const config: DiffConfig = hasConfig
    ? await readDiffConfig(cwd, sink)
    : { section: {}, outputs: [] };
  const code = userCode(values.uses, config, cwd);
  const policy = new DiffPolicy(config.section, {
    audiences: values.for ?? config.audiences,
    failOn: values.failOn,
    file: config.file,
  });
  const isComplete = values.all === true || edit !== undefined;
  const options = {
    ...values,
    cwd,
    ignore,
    policy,
    edit: edit?.edit,
    editPair: isComplete ? undefined : config.editPair,
    resolvers: [lockedNames(findProject), lockFiles(findProject)],
  };
  const compared = sink.hasErrors
    ? failed(sink)
    : await compare(documents, since, findProject, options);
  const { comparisons, diagnostics, isSet } = await withUses(
    compared,
    code,
    values.trustProse,
  );
  const findings = [...diagnostics, ...(edit?.unused() ?? [])];
  for (const finding of findings)
    if (finding.severity !== "info" || verbose === true)
      output.err(paragraph(finding, output.color));
  // If the comparison failed, nothing is printed on standard output, because
  // scripts expect the JSON of a complete comparison.
  if (comparisons.length > 0 || exitCodeOf(diagnostics) === undefined)
    output.out(
      reportOf(comparisons, {
        format,
        isSet,
        version,
        color: output.color && process.stdout.isTTY === true,
        isVerbose: verbose === true,
      }),
    );
  const changes = comparisons.flatMap(({ result }) => result.changes);
  const fails = changes.some((change) => policy.fails(change));
  return exitCodeOf(findings) ?? (fails ? 1 : 0);
}

/** Compares two operands, or the project with a Git revision. */
async function compare(
  [old, now]: readonly string[],
  since: string | undefined,
  findProject: FindProject,
  options: CompareOptions,
): Promise<Comparisons> {
  if (old !== undefined && now !== undefined)
    return compareOperands(old, now, options);
  const sink = new Sink();
  const project = await findProject(".", sink);
  if (project === undefined) return failed(sink);
  const { cwd } = options;
  const verified = new Map<string, Buffer>();
  return compareListed(
    await listState(project, cwd, since ?? "HEAD", verified),
    await listState(project, cwd, undefined, verified),
    options,
  );
}

function failed({ diagnostics }: Sink): Comparisons {
  return { comparisons: [], diagnostics, isSet: false };
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
