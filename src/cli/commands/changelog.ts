import {
  compareListed,
  compareOperands,
  type Comparisons,
} from "../../diff/compare.js";
import { listState, lockFiles, lockedNames } from "../../diff/lock-operands.js";
import { DiffPolicy } from "../../diff/policy.js";
import { changelog as changelogOf } from "../../diff/reporters/changelog.js";
import { Sink } from "../../diagnostics/sink.js";
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
import { exitCodeOf } from "../exit-code.js";
import { reportFindings } from "../reporters/findings.js";

interface Values {
  readonly documents?: readonly string[];
  readonly specs?: string;
  readonly trustProse?: boolean;
  readonly uses?: readonly string[];
  readonly noConfig?: boolean;
}

const HELP = `
Without OLD and NEW, the documents in the lock file and in the --specs folder are
compared with the documents in the last commit.

Exit codes:
  0  the changes were printed
  2  invalid usage, or an unknown revision
  3  a document can't be used`;

/** Command `gen changelog`: prints the changes to documents as Markdown. */
export const changelog: Command = {
  operands: {
    name: "documents",
    description: "old and new documents, given in the same way as for gen diff",
    isMany: true,
    isOptional: true,
  },
  options: [
    SPECS_OPTION,
    USES_OPTION,
    {
      name: "trustProse",
      kind: "switch",
      description: "compare the types that are generated with --trust-prose",
    },
  ],
  variables: "CHANGELOG_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, context: Context): Promise<number> {
  const { output } = context;
  const { comparisons, diagnostics } = await compare(values, context);
  reportFindings(diagnostics, "text", output);
  const failure = exitCodeOf(diagnostics);
  if (comparisons.length > 0 || failure === undefined)
    output.out(changelogOf(comparisons));
  return failure ?? 0;
}

async function compare(
  { documents = [], specs, trustProse, noConfig, uses }: Values,
  { cwd }: Context,
): Promise<Comparisons> {
  const findProject = projectFinder(specs, cwd, noConfig);
  const [old, now, ...others] = documents;
  const sink = new Sink();
  const config: DiffConfig =
    noConfig === true || areFiles(documents, cwd)
      ? { section: {}, outputs: [] }
      : await readDiffConfig(cwd, sink);
  const { section, file } = config;
  const code = userCode(uses, config, cwd);
  const policy = new DiffPolicy(section, { file });
  if (sink.hasErrors)
    return { comparisons: [], isSet: true, diagnostics: sink.diagnostics };
  if (old === undefined) {
    const project = await findProject(".", sink);
    if (project === undefined)
      return { comparisons: [], isSet: true, diagnostics: sink.diagnostics };
    const verified = new Map<string, Buffer>();
    const before = await listState(project, cwd, "HEAD", verified);
    const after = await listState(project, cwd, undefined, verified);
    const compared = compareListed(before, after, { trustProse, policy });
    return withUses(compared, code, trustProse);
  }
  if (now === undefined || others.length > 0)
    throw new UsageError(
      "expected either no arguments, or OLD and NEW; see --help",
    );
  const resolvers = [lockedNames(findProject), lockFiles(findProject)];
  const options = { cwd, trustProse, policy, resolvers };
  const compared = await compareOperands(old, now, options);
  return withUses(compared, code, trustProse);
}
