import path from "node:path";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { compareOperands } from "../../diff/compare.js";
import { fetchedDocuments } from "../../diff/fetched-documents.js";
import { changelog as changelogOf } from "../../diff/reporters/changelog.js";
import { UsageError, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";

interface Values {
  readonly documents?: readonly string[];
  readonly specs: string;
  readonly trustProse?: boolean;
}

const HELP = `
Without OLD and NEW, the documents in --specs are compared with those of the last
commit.

Exit codes:
  0  printed
  2  invalid usage, or unknown revision
  3  a document can't be used`;

/** Prints changes of documents for people. */
export const changelog: Command = {
  operands: {
    name: "documents",
    description: "OLD and NEW, as for gen diff",
    isMany: true,
    isOptional: true,
  },
  options: [
    {
      name: "specs",
      kind: "text",
      value: "dir",
      default: "specs",
      description: "folder of fetched documents",
    },
    {
      name: "trustProse",
      kind: "switch",
      description: "compare types as generated with --trust-prose",
    },
  ],
  variables: "CHANGELOG_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const { specs, trustProse } = values;
  const [old, now] = operandsOf(values, cwd);
  const { comparisons, diagnostics } = await compareOperands(old, now, {
    cwd,
    trustProse,
    resolvers: [fetchedDocuments(specs)],
  });
  for (const finding of diagnostics)
    if (finding.severity !== "info")
      output.err(paragraph(finding, output.color));
  const failure = exitCodeOf(diagnostics);
  if (comparisons.length > 0 || failure === undefined)
    output.out(changelogOf(comparisons));
  return failure ?? 0;
}

function operandsOf(
  { documents = [], specs }: Values,
  cwd: string,
): readonly [string, string] {
  if (documents.length === 0) {
    const relative = path.relative(cwd, path.resolve(cwd, specs));
    return [`git:HEAD:${relative.split(path.sep).join("/")}`, specs];
  }
  const [old, now, ...others] = documents;
  if (old === undefined || now === undefined || others.length > 0)
    throw new UsageError(
      "expected no arguments, or two: OLD and NEW; see --help",
    );
  return [old, now];
}
