import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { Sink } from "../../diagnostics/sink.js";
import {
  deprecationsOf,
  type DeprecationHistory,
} from "../../diff/deprecations.js";
import {
  documentVersions,
  type DocumentVersion,
} from "../../diff/document-versions.js";
import type { Analysis } from "../../diff/uses/analysis.js";
import { analyseCode } from "../../diff/uses/index.js";
import { UseMatcher } from "../../diff/uses/match-uses.js";
import type { UsePosition } from "../../diff/uses/types.js";
import { usedAtWords } from "../../diff/words.js";
import { GitError } from "../../platform/git.js";
import type { Command, Context } from "../command.js";
import {
  userCode,
  SPECS_OPTION,
  USES_OPTION,
  type DiffConfig,
} from "../diff-project.js";
import { exitCodeOf } from "../exit-code.js";
import {
  PROJECT_APIS,
  readProjectApis,
  type ProjectApi,
} from "../project-apis.js";
import { reportFindings } from "../reporters/findings.js";

interface Values {
  readonly apis?: readonly string[];
  readonly since?: string;
  readonly uses?: readonly string[];
  readonly specs?: string;
  readonly noConfig?: boolean;
  readonly trustProse?: boolean;
  readonly format: "text" | "json";
}

const HELP = `
The Git history of each document tells since which revision something is
deprecated, and what was removed without a deprecation. At most 100 commits are
read; what the oldest of them deprecates is deprecated since an unknown revision.

Exit codes:
  0  the deprecations were printed
  2  invalid usage or config, or unknown revision
  3  a document can't be used`;

/** Command `gen deprecations`: lists what is deprecated. */
export const deprecations: Command = {
  operands: PROJECT_APIS,
  options: [
    {
      ...USES_OPTION,
      description:
        "TypeScript and JavaScript files; what they use comes first, with positions (needs ts-morph); repeatable",
    },
    {
      name: "since",
      kind: "text",
      value: "revision",
      description:
        "oldest Git revision that is read (default: all of the history)",
    },
    SPECS_OPTION,
    {
      name: "trustProse",
      kind: "switch",
      description: "read documents as with --trust-prose",
    },
    {
      name: "format",
      kind: "choice",
      value: "name",
      choices: ["text", "json"],
      default: "text",
      description: "format of the report",
    },
  ],
  variables: "DEPRECATIONS_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const { apis: names = [], format, since } = values;
  const { apis, config, diagnostics } = await readProjectApis(
    names,
    values,
    cwd,
  );
  const sink = new Sink();
  const histories = apis.map(({ side, document }) =>
    deprecationsOf(
      side,
      versionsOf(document.file, cwd, since, sink),
      config.editPair,
    ),
  );
  const uses = sink.hasErrors
    ? undefined
    : await usesOf(apis, histories, values, config, cwd, sink);
  const reports = apis.map((api, index) =>
    reportOf(api, histories[index]!, uses),
  );
  const findings = [...diagnostics, ...sink.diagnostics];
  reportFindings(findings, "text", output);
  const failure = exitCodeOf(findings);
  const shown = reports.filter(
    ({ deprecated, removed }) => deprecated.length + removed.length > 0,
  );
  if (failure === undefined)
    output.out(
      format === "json"
        ? `${visibleJson({ apis: shown })}\n`
        : shown.length === 0
          ? "no deprecations\n"
          : shown.map(sectionOf).join("\n"),
    );
  return failure ?? 0;
}

/** Returns the versions of a document. Reports an unknown revision. */
function versionsOf(
  file: string,
  cwd: string,
  since: string | undefined,
  sink: Sink,
): readonly DocumentVersion[] {
  try {
    return documentVersions(file, cwd, since);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    sink.report("diff-git", `--since ${since}: ${error.message}`);
    return [];
  }
}

/** Determines the uses of APIs with deprecations. */
async function usesOf(
  apis: readonly ProjectApi[],
  histories: readonly DeprecationHistory[],
  values: Values,
  config: DiffConfig,
  cwd: string,
  sink: Sink,
): Promise<Analysis["uses"] | undefined> {
  const code = userCode(values.uses, config, cwd);
  if (code === undefined) return undefined;
  const sides = apis
    .filter((_, index) => histories[index]!.deprecated.length > 0)
    .map(({ side }) => side);
  return sides.length === 0
    ? new Map()
    : (await analyseCode(sides, code, sink)).uses;
}

/** Deprecations of an API, with their positions in the user's code. */
interface Report extends Omit<DeprecationHistory, "deprecated"> {
  readonly api: string;
  readonly deprecated: readonly (DeprecationHistory["deprecated"][number] & {
    readonly usedAt?: readonly UsePosition[];
  })[];
}

function reportOf(
  { id, side }: ProjectApi,
  history: DeprecationHistory,
  uses: Analysis["uses"] | undefined,
): Report {
  if (uses === undefined) return { api: id, ...history };
  const matcher = new UseMatcher(side, uses.get(id) ?? []);
  const deprecated = history.deprecated.map((one) => ({
    ...one,
    usedAt: matcher.ofPart(one.pointer, one.value),
  }));
  return {
    api: id,
    ...history,
    deprecated: [
      ...deprecated.filter(({ usedAt }) => usedAt.length > 0),
      ...deprecated.filter(({ usedAt }) => usedAt.length === 0),
    ],
  };
}

function sectionOf({ api, revisions, deprecated, removed }: Report): string {
  const used = deprecated.filter(({ usedAt = [] }) => usedAt.length > 0).length;
  const here = deprecated.some(({ usedAt }) => usedAt !== undefined)
    ? `, ${used} used by this code`
    : "";
  const lines = [
    `${api}: ${deprecated.length} deprecated${here}; ${removed.length} removed without a deprecation (${formatCount(revisions.length, "known revision")}: ${[...new Set([revisions[0], revisions.at(-1)])].join(" to ")})`,
  ];
  for (const { label, value, since, usedAt } of deprecated) {
    const name =
      value === undefined ? label : `${label} value ${JSON.stringify(value)}`;
    const first =
      since === null ? "since an unknown revision" : `since ${since}`;
    const positions = usedAtWords(usedAt);
    lines.push(
      `  deprecated ${name}, ${first}`,
      ...(positions === undefined ? [] : [`    ${positions}`]),
    );
  }
  for (const { message, revision } of removed)
    lines.push(`  removed ${message} in ${revision}`);
  return `${lines.map(visible).join("\n")}\n`;
}
