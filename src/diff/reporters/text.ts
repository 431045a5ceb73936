import { visible } from "../../diagnostics/invisible.js";
import type { Comparison, LocatedChange } from "../compare.js";
import {
  isUsed,
  mostSevere,
  SEVERITIES,
  type DetailedChange,
  type Severity,
} from "../severity.js";
import { acceptanceWords } from "../policy.js";
import { usedAtWords, usedWords, usersWords } from "../words.js";

const COLORS: Readonly<Record<Severity, string>> = {
  breaking: "31",
  warning: "33",
  info: "36",
};

/** Options of the text report. */
export interface TextOptions {
  readonly color: boolean;
  /** True to list changes with severity `info`; false to count them. */
  readonly isVerbose: boolean;
}

/**
 * Formats changes for terminals: a summary line, then the changes, most severe
 * first.
 */
export function textReport(
  comparisons: readonly Comparison[],
  options: TextOptions,
): string {
  const shown = comparisons.filter(({ result }) => result.changes.length > 0);
  const parts = shown.map((comparison) => section(comparison, options));
  const same = comparisons.length - shown.length;
  const isSingle = comparisons.length === 1;
  if (same > 0)
    parts.push(
      isSingle
        ? "no changes\n"
        : `${same} of ${comparisons.length} APIs unchanged\n`,
    );
  return parts.join("\n");
}

function section({ result }: Comparison, options: TextOptions): string {
  const { changes, bump } = result;
  const groups = groupBySeverity(changes);
  const touched = usedWords(changes);
  const suggested = `suggested version: ${bump}`;
  const lines = [
    `${headline(result)}: ${countsOf(changes)}; ${touched === undefined ? "" : `${touched}; `}${suggested}`,
  ];
  // Changes that affect the user's code come first, also those of lower severity.
  for (const isFirst of [true, false])
    for (const severity of ["breaking", "warning"] as const)
      lines.push(
        ...groups[severity]
          .filter((one) => isUsed(one) === isFirst)
          .map((one) => line(one, severity, options)),
      );
  const accepted = groups.info.filter((one) => one.accepted !== undefined);
  const infos = groups.info.filter((one) => one.accepted === undefined);
  for (const { message, accepted: entry } of accepted)
    lines.push(visible(`accepted ${message}: ${acceptanceWords(entry!)}`));
  if (options.isVerbose)
    lines.push(...infos.map((one) => line(one, "info", options)));
  else if (infos.length > 0)
    lines.push(`infos: ${countsByRule(infos)} (--verbose)`);
  return `${lines.join("\n")}\n`;
}

/**
 * Formats a heading with the API and its revisions: `drive:v3 20240101 ->
 * 20250101`.
 */
export function headline({ api, from, to }: Comparison["result"]): string {
  return visible(`${api} ${from ?? "(none)"} -> ${to ?? "(none)"}`);
}

function line(
  change: LocatedChange,
  severity: Severity,
  { color }: TextOptions,
): string {
  const { file, position, message, rule, fingerprint, users } = change;
  const at =
    position === undefined ? "" : `:${position.line}:${position.column}`;
  const label = color
    ? `\u001b[${COLORS[severity]}m${severity}\u001b[0m`
    : severity;
  const words = usersWords(users);
  const use = words === undefined ? "" : `, ${words}`;
  const positions = usedAtWords(change.usedAt);
  return [
    `${visible(file)}${at}: ${label} ${visible(message)}`,
    visible(`    ${audiencesOf(change)}; ${rule} ${fingerprint}${use}`),
    ...(positions === undefined ? [] : [visible(`    ${positions}`)]),
  ].join("\n");
}

/**
 * Groups changes by the highest of their severities for clients, servers and
 * types.
 */
export function groupBySeverity<C extends DetailedChange>(
  changes: readonly C[],
): Readonly<Record<Severity, readonly C[]>> {
  const pick = (severity: Severity): C[] =>
    changes.filter((change) => mostSevere(change) === severity);
  return {
    breaking: pick("breaking"),
    warning: pick("warning"),
    info: pick("info"),
  };
}

/**
 * Formats the number of changes of each severity: `2 breaking, 1 warning, 30
 * infos`.
 */
export function countsOf(changes: readonly DetailedChange[]): string {
  if (changes.length === 0) return "no changes";
  const groups = groupBySeverity(changes);
  return SEVERITIES.filter((severity) => groups[severity].length > 0)
    .map((severity) => {
      const { length } = groups[severity];
      const isPlural = length > 1 && severity !== "breaking";
      return `${length} ${severity}${isPlural ? "s" : ""}`;
    })
    .join(", ");
}

/**
 * Lists the audiences (`client`, `server`, `types`) for which a change has its
 * highest severity.
 */
export function audiencesOf(change: DetailedChange): string {
  const worst = mostSevere(change);
  return (["client", "server", "types"] as const)
    .filter((audience) => change[audience] === worst)
    .join(", ");
}

/** Counts changes for each rule: `57 description-changed, 3 property-added`. */
export function countsByRule(changes: readonly DetailedChange[]): string {
  const counts = new Map<string, number>();
  for (const { rule } of changes) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([rule, count]) => `${count} ${rule}`)
    .join(", ");
}
