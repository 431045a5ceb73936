import { createHash } from "node:crypto";
import { escapeHtml } from "../../diagnostics/escape-html.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { annotation } from "../../diagnostics/reporters/github.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import {
  resultSize,
  type SarifFinding,
  sarifLog,
  type SarifRule,
} from "../../diagnostics/reporters/sarif.js";
import type { Severity as DiagnosticSeverity } from "../../diagnostics/types.js";
import type { Comparison, LocatedChange } from "../compare.js";
import { plainResult } from "../diff-documents.js";
import type { Rule } from "../rule.js";
import { rules } from "../rules/index.js";
import {
  AUDIENCES,
  isUsed,
  mostSevere,
  mostSevereFirst,
  type Severity,
} from "../severity.js";
import { acceptanceWords } from "../policy.js";
import { usedAtWords, usedWords, usersWords } from "../words.js";
import { limitChanges } from "./limit-changes.js";
import { markdownReport } from "./markdown.js";
import {
  countsOf,
  groupBySeverity,
  type TextOptions,
  textReport,
} from "./text.js";

/** Output formats of `gen diff`. */
export const FORMATS = [
  "text",
  "json",
  "markdown",
  "html",
  "github",
  "sarif",
] as const;

export type Format = (typeof FORMATS)[number];

/** Options of the reports in all formats. */
interface ReportOptions extends TextOptions {
  readonly format: Format;
  /**
   * True if the JSON report must be an array of comparisons, false for one
   * object.
   */
  readonly isSet: boolean;
  /** Version of the generator, for the SARIF report. */
  readonly version: string;
}

/** Formats the changes to all APIs in the selected format. */
export function reportOf(
  comparisons: readonly Comparison[],
  options: ReportOptions,
): string {
  switch (options.format) {
    case "text":
      return textReport(comparisons, options);
    case "json": {
      const results = comparisons.map(({ result }) => plainResult(result));
      return `${visibleJson(options.isSet ? results : (results[0] ?? null))}\n`;
    }
    case "markdown":
      return markdownReport(comparisons);
    case "html":
      return htmlReport(comparisons);
    case "github":
      return githubReport(comparisons);
    case "sarif":
      return sarifReport(comparisons, options.version);
  }
}

const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --breaking: #b3261e; --warning: #8a5a00; --info: #57606a }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #151b23; --breaking: #ff7b72; --warning: #e3b341; --info: #9198a1 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin-top: 2rem }
code { font: 0.9em ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.25em }
ul { list-style: none; padding: 0 } li { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0.5rem 0.75rem }
summary { cursor: pointer; font-weight: 600; margin: 0.75rem 0 }
small { color: var(--info); display: block }
b.breaking { color: var(--breaking) } b.warning { color: var(--warning) } b.info { color: var(--info); font-weight: 400 }
`;

/**
 * Formats changes as a single HTML file without scripts or external resources.
 * Its content security policy allows only the style sheet in the file.
 */
function htmlReport(comparisons: readonly Comparison[]): string {
  const digest = createHash("sha256").update(STYLE).digest("base64");
  const all = comparisons.flatMap(({ result }) => result.changes);
  const changed = comparisons.filter(({ result }) => result.changes.length > 0);
  const same = comparisons.length - changed.length;
  const { comparisons: shown, omitted } = limitChanges(changed, (change) =>
    Buffer.byteLength(item(change)),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API changes</title>
<style>${STYLE}</style>
</head>
<body>
<h1>API changes: ${escaped(countsOf(all))}</h1>
${shown.map((limited, index) => section(limited, changed[index]!)).join("\n")}
${omitted.length === 0 ? "" : `<h2>Not listed</h2>\n<ul>\n${omitted.map((text) => `<li>${escaped(text)}</li>`).join("\n")}\n</ul>`}
${same === 0 ? "" : `<p>${formatCount(same, "API")} unchanged.</p>`}
</body>
</html>
`;
}

/** @param complete comparison with all changes, which the heading counts */
function section({ result }: Comparison, complete: Comparison): string {
  const { api, from, to, bump } = result;
  const { changes } = complete.result;
  const groups = groupBySeverity(result.changes.filter((one) => !isUsed(one)));
  const used = result.changes.filter(isUsed);
  const touched = usedWords(changes);
  const here =
    touched === undefined
      ? ""
      : `<p><strong>${escaped(touched)}.</strong></p>\n${list(mostSevereFirst(used))}`;
  return `<section>
<h2>${escaped(api)}</h2>
<p><code>${escaped(from ?? "none")}</code> → <code>${escaped(to ?? "none")}</code>: ${escaped(countsOf(changes))}. Suggested version: <strong>${bump}</strong></p>
${here}
${list(groups.breaking)}
${collapsed("Warnings", groups.warning)}
${collapsed("Other changes", groups.info)}
</section>`;
}

function collapsed(title: string, changes: readonly LocatedChange[]): string {
  return changes.length === 0
    ? ""
    : `<details><summary>${title}: ${changes.length}</summary>\n${list(changes)}\n</details>`;
}

function list(changes: readonly LocatedChange[]): string {
  return changes.length === 0
    ? ""
    : `<ul>\n${changes.map(item).join("\n")}\n</ul>`;
}

function item(change: LocatedChange): string {
  const { label, text, rule, fingerprint, file, position, users, accepted } =
    change;
  const verdicts = AUDIENCES.map(
    (audience) =>
      `${audience} <b class="${change[audience]}">${change[audience]}</b>`,
  ).join(" · ");
  const at =
    position === undefined ? "" : `:${position.line}:${position.column}`;
  const words = usersWords(users);
  const use = words === undefined ? "" : ` · ${words}`;
  const positions = usedAtWords(change.usedAt);
  const used =
    positions === undefined ? "" : `\n<small>${escaped(positions)}</small>`;
  const why =
    accepted === undefined ? "" : ` · accepted: ${acceptanceWords(accepted)}`;
  return `<li id="c-${fingerprint}"><code>${escaped(label)}</code> ${escaped(text)}
<small>${verdicts}</small>
<small>${escaped(`${rule} ${fingerprint} · ${file}${at}${use}${why}`)}</small>${used}</li>`;
}

/**
 * Escapes text for HTML, and replaces control characters with visible escapes.
 */
function escaped(text: string): string {
  return escapeHtml(visible(text));
}

/**
 * Maximum number of annotations of each severity that GitHub shows for a step.
 */
const MAX_ANNOTATIONS = 10;

/**
 * Formats changes as GitHub Actions workflow commands: breaking changes become
 * errors, warnings become warnings, and a notice contains the number of changes
 * to each API.
 */
function githubReport(comparisons: readonly Comparison[]): string {
  const changes = comparisons.flatMap(({ result }) => result.changes);
  const { breaking, warning } = groupBySeverity(changes);
  return [
    ...annotations(breaking, "error", comparisons),
    ...annotations(warning, "warning", comparisons),
    ...comparisons
      .filter(({ result }) => result.changes.length > 0)
      .slice(0, MAX_ANNOTATIONS)
      .map(({ result }) =>
        annotation({
          code: result.api,
          severity: "info",
          message: `${countsOf(result.changes)}; ${touchedWords(result.changes)}suggested version: ${result.bump}`,
        }),
      ),
  ].join("");
}

/** Formats how many changes affect the user's code, for the message of a finding. */
function touchedWords(changes: readonly LocatedChange[]): string {
  const words = usedWords(changes);
  return words === undefined ? "" : `${words}; `;
}

function annotations(
  changes: readonly LocatedChange[],
  severity: "error" | "warning",
  comparisons: readonly Comparison[],
): string[] {
  const isCut = changes.length > MAX_ANNOTATIONS;
  const shown = isCut ? changes.slice(0, MAX_ANNOTATIONS - 1) : changes;
  const rest = changes.length - shown.length;
  return [
    ...shown.map((change) => annotate(change, severity, comparisons)),
    ...(rest === 0
      ? []
      : [
          annotation({
            code: "diff",
            severity,
            message: `${formatCount(rest, "more change")} with this severity; run gen diff for the complete list`,
          }),
        ]),
  ];
}

/**
 * Formats an annotation in the new document, because the old document may be
 * absent from the working tree.
 */
function annotate(
  change: LocatedChange,
  severity: "error" | "warning",
  comparisons: readonly Comparison[],
): string {
  const comparison = comparisons.find(({ result }) =>
    result.changes.includes(change),
  );
  const { rule, newPosition, fingerprint } = change;
  const positions = usedAtWords(change.usedAt);
  const message =
    positions === undefined
      ? change.message
      : `${change.message}; ${positions}`;
  return annotation({
    code: rule,
    severity,
    message,
    fix: `Fingerprint: ${fingerprint}`,
    ...(comparison?.new === undefined ? {} : { file: comparison.new.file }),
    ...newPosition,
  });
}

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  breaking: "error",
  warning: "warning",
  info: "info",
};

/** Formats changes as SARIF 2.1.0 for code scanning tools. */
function sarifReport(
  comparisons: readonly Comparison[],
  version: string,
): string {
  const { comparisons: shown, omitted } = limitChanges(
    comparisons,
    (change, comparison) => resultSize(findingOf(change, comparison)),
  );
  const findings = shown.flatMap((comparison) =>
    comparison.result.changes.map((change) => findingOf(change, comparison)),
  );
  const sarifRules = new Map(
    (rules as readonly Rule[]).map((rule) => [rule.id, ruleOf(rule)]),
  );
  return sarifLog(
    findings,
    { name: "gen diff", version, rules: [...sarifRules.values()] },
    omitted.map((text) => `not listed: ${text}`),
  );
}

function ruleOf({ id, summary, reason }: Rule): SarifRule {
  return {
    id,
    title: summary,
    ...(reason === undefined ? {} : { help: reason }),
  };
}

function findingOf(
  change: LocatedChange,
  { old, new: now }: Comparison,
): SarifFinding {
  const { rule, message, pointer, fingerprint, newPosition } = change;
  const { client, server, types } = change;
  return {
    code: rule,
    severity: SEVERITIES[mostSevere(change)],
    message,
    file: (now ?? old)!.file,
    line: newPosition?.line ?? 1,
    column: newPosition?.column ?? 1,
    pointer,
    fingerprints: { "genDiff/v1": fingerprint },
    properties: { client, server, types },
    ...(isUsed(change)
      ? {
          related: change.usedAt!.map(({ undecided, ...at }) => ({
            ...at,
            message: undecided === true ? "could be used here" : "used here",
          })),
        }
      : {}),
    ...(change.accepted === undefined
      ? {}
      : { justification: acceptanceWords(change.accepted) }),
  };
}
