import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import type { Comparison, LocatedChange } from "../compare.js";
import {
  audiencesOf,
  countsByRule,
  countsOf,
  groupBySeverity,
} from "./text.js";
import { acceptanceWords } from "../policy.js";
import { usedAtWords, usedWords, usersWords } from "../words.js";
import { isUsed, mostSevere, mostSevereFirst } from "../severity.js";

/**
 * Maximum length of a report in characters. GitHub accepts comments of up to
 * 65,536 characters, GitLab of up to 1,000,000.
 */
const MAX_LENGTH = 60_000;

/** Maximum numbers of APIs in a report, and of changes for each API. */
const MAX_APIS = 40;
const MAX_BREAKING = 50;
const MAX_OTHERS = 100;

/**
 * Formats changes as a comment on a pull request: a summary line, the breaking
 * changes, and all other changes in a collapsed section.
 */
export function markdownReport(comparisons: readonly Comparison[]): string {
  const changed = comparisons.filter(({ result }) => result.changes.length > 0);
  if (changed.length === 0) return "### API changes\n\nNo changes.\n";
  const all = changed.flatMap(({ result }) => result.changes);
  const title = `### API changes: ${countsOf(all)}\n`;
  const shown = [...changed]
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_APIS);
  let text = title;
  let left = changed.length;
  for (const comparison of shown) {
    const part = `\n${section(comparison)}`;
    if (text.length + part.length > MAX_LENGTH) break;
    text += part;
    left--;
  }
  return left === 0
    ? text
    : `${text}\n${formatCount(left, "more API")} changed; run \`gen diff\` for the complete list.\n`;
}

/**
 * Returns the sort key of an API: APIs with a major version increment come
 * first.
 */
function rank({ result }: Comparison): number {
  return ["major", "minor", "patch", "none"].indexOf(result.bump);
}

function section({ result }: Comparison): string {
  const { api, from, to, bump, changes } = result;
  const used = changes.filter(isUsed);
  const groups = groupBySeverity(changes.filter((one) => !isUsed(one)));
  const touched = usedWords(changes);
  const revisions = `${codeSpan(from ?? "none")} → ${codeSpan(to ?? "none")}`;
  return [
    `**${escapeMarkdown(api)}** ${revisions}: ${countsOf(changes)}. Suggested version: **${bump}**\n`,
    touched === undefined ? "" : `**${touched}.**\n`,
    used.length === 0
      ? ""
      : `Changes that affect this code:\n\n${list(mostSevereFirst(used), MAX_BREAKING)}`,
    touched === undefined || groups.breaking.length === 0
      ? ""
      : "Other breaking changes:\n",
    list(groups.breaking, MAX_BREAKING),
    collapsed("Warnings", groups.warning, list(groups.warning, MAX_OTHERS)),
    collapsed("Other changes", groups.info, others(groups.info)),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function list(changes: readonly LocatedChange[], limit: number): string {
  const lines = changes.slice(0, limit).map(changeItem);
  if (changes.length > limit) lines.push(`- … ${changes.length - limit} more`);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Formats a change as an item of a list. */
export function changeItem(change: LocatedChange): string {
  const { label, text, users, accepted } = change;
  const words = usersWords(users, codeSpan);
  const use = words === undefined ? "" : `, ${words}`;
  const why =
    accepted === undefined
      ? ""
      : `; accepted: ${escapeMarkdown(acceptanceWords(accepted))}`;
  const positions = usedAtWords(change.usedAt, codeSpan);
  const at = positions === undefined ? "" : `; ${positions}`;
  const mark = isUsed(change) ? `${mostSevere(change)}, ` : "";
  return `- ${codeSpan(label)}: ${escapeMarkdown(text)} (${mark}${audiencesOf(change)}${use})${at}${why}`;
}

/**
 * Lists changes with severity `info`. Changes to descriptions are only counted.
 */
function others(changes: readonly LocatedChange[]): string {
  const listed = changes.filter(({ kind }) => kind !== "text");
  const texts = changes.filter(({ kind }) => kind === "text");
  const counts = texts.length === 0 ? "" : `\n${countsByRule(texts)}\n`;
  return list(listed, MAX_OTHERS) + counts;
}

function collapsed(
  title: string,
  changes: readonly LocatedChange[],
  body: string,
): string {
  if (changes.length === 0) return "";
  return `<details><summary>${title}: ${changes.length}</summary>\n\n${body}\n</details>\n`;
}

/**
 * Escapes text for Markdown. Inserts an HTML comment after each `@` and `#`, so
 * that the text can't mention users or refer to issues.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_{}[\]()#+\-.!|~]/g, "\\$&")
    .replace(/@|\\#/g, "$&<!-- -->")
    .replace(/https?:/gi, (scheme) => `${scheme.slice(0, -1)}<!-- -->:`);
}

/**
 * Formats text as a code span. Its delimiter has more backticks than any
 * sequence of backticks in the text.
 */
export function codeSpan(text: string): string {
  const shown = visible(text);
  const runs = shown.match(/`+/g) ?? [];
  const length = Math.max(0, ...runs.map((run) => run.length)) + 1;
  const fence = "`".repeat(length);
  const pad = length > 1 || /^ | $/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
