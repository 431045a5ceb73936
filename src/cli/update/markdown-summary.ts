import { equalMessages, labelsText } from "../../diagnostics/equal-messages.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { KEPT_REASONS } from "../../config/gen-config.js";
import {
  changeItem,
  codeSpan,
  escapeMarkdown,
} from "../../diff/reporters/markdown.js";
import { countsByRule } from "../../diff/reporters/text.js";
import { isUsed, mostSevere, SEVERITIES } from "../../diff/severity.js";
import { totalsOf, type ReportedUpdate } from "./api-update.js";
import { REPORTED_AUDIENCES } from "./breaking-text.js";

/** Options of `markdownSummary`. */
export interface SummaryOptions {
  /** Maximum size in bytes (UTF-8). */
  readonly maxBytes: number;
  /** True if the update was only checked. */
  readonly isCheck: boolean;
}

/** Groups of changes in the order of the report. */
const GROUPS = ["used", ...SEVERITIES] as const;
type Group = (typeof GROUPS)[number];

/** Line of a report that can be omitted. */
interface Line {
  readonly api: string;
  readonly group: Group;
  readonly text: string;
}

const TITLES: Readonly<Record<Group, string>> = {
  used: "Changes that affect this code",
  breaking: "Breaking changes",
  warning: "Warnings",
  info: "Other changes",
};

/**
 * Formats an update as the text of a pull request: counts, a table of the APIs,
 * kept APIs with instructions, and the changes, breaking ones first. Changes that
 * do not fit are counted by API; breaking changes are the last to be omitted.
 */
export function markdownSummary(
  apis: readonly ReportedUpdate[],
  { maxBytes, isCheck }: SummaryOptions,
): string {
  const head = `### API updates\n\n${countsText(apis, isCheck)}\n`;
  const table = tableOf(apis);
  const kept = keptSection(apis);
  const pruned = prunedSection(apis);
  const lines = apis.flatMap(linesOf);
  const start = fitParts(head, [table, kept, pruned], maxBytes);
  return start.isComplete
    ? start.text + changesText(lines, maxBytes - sizeOf(start.text))
    : start.text;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Text for parts that do not fit. */
const OMITTED = "\nThe table does not fit; run `gen update --json -`.\n";

/** Appends parts as long as they fit; a line says if a part does not. */
function fitParts(
  head: string,
  parts: readonly string[],
  maxBytes: number,
): { readonly text: string; readonly isComplete: boolean } {
  let text = head;
  for (const part of parts) {
    if (sizeOf(text + part + OMITTED) > maxBytes)
      return { text: text + OMITTED, isComplete: false };
    text += part;
  }
  return { text, isComplete: true };
}

function countsText(apis: readonly ReportedUpdate[], isCheck: boolean): string {
  const { updated, unchanged, kept, breaking, warnings, used } = totalsOf(apis);
  const changes = [
    ...REPORTED_AUDIENCES.filter((audience) => breaking[audience] > 0).map(
      (audience) => `${breaking[audience]} breaking for ${audience}`,
    ),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
    ...(used === null ? [] : [`${used} breaking in use by this code`]),
  ];
  return `${formatCount(updated, "API")} ${isCheck ? "to update" : "updated"}, ${unchanged} unchanged, ${kept} kept.${changes.length === 0 ? "" : ` Changes: ${changes.join(", ")}.`}`;
}

/** Returns a table of updated and kept APIs. */
function tableOf(apis: readonly ReportedUpdate[]): string {
  const shown = apis.filter(({ status }) => status !== "unchanged");
  if (shown.length === 0) return "";
  const hasUses = shown.some(({ used }) => used !== null);
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const columns = [
    "API",
    "revisions",
    "status",
    "breaking (client, types, server)",
    "warnings",
    ...(hasUses ? ["used here"] : []),
  ];
  const rows = shown.map((api) =>
    row([
      codeSpan(api.api),
      `${escapeMarkdown(api.from ?? "none")} → ${escapeMarkdown(api.to ?? "none")}`,
      api.reason === null ? api.status : `${api.status}: ${api.reason}`,
      REPORTED_AUDIENCES.map((audience) => api.breaking[audience]).join(", "),
      String(api.warnings),
      ...(hasUses ? [String(api.used ?? "")] : []),
    ]),
  );
  const lines = [row(columns), row(columns.map(() => "---")), ...rows];
  return `\n${lines.join("\n")}\n`;
}

/** Lists kept APIs with their problems and instructions. */
function keptSection(apis: readonly ReportedUpdate[]): string {
  const items = KEPT_REASONS.flatMap((reason) => {
    const kept = apis.filter((api) => api.reason === reason);
    const fixes = new Map(
      kept.map(({ api, findings: [finding] }) => [api, finding?.fix ?? ""]),
    );
    return equalMessages(
      kept.map(({ api, message }) => ({ id: api, message: message ?? "" })),
    ).map(({ ids, message }) => {
      const fix = fixes.get(ids[0]!)!;
      return `- **${escapeMarkdown(labelsText(ids))}** (${reason}): ${escapeMarkdown(message)}${fix === "" ? "" : `\n  To do: ${escapeMarkdown(fix)}`}`;
    });
  });
  return items.length === 0
    ? ""
    : `\n#### Kept\n\nThe documents and output of these APIs are unchanged.\n\n${items.join("\n")}\n`;
}

/** Lists operations that were removed from patch files. */
function prunedSection(apis: readonly ReportedUpdate[]): string {
  const items = apis.flatMap(({ pruned }) =>
    pruned.map((operation) => `- ${codeSpan(operation)}`),
  );
  return items.length === 0
    ? ""
    : `\n#### Removed patch operations\n\nThe documents contain these changes.\n\n${items.join("\n")}\n`;
}

/** Returns a line for each change, and one for the changes of descriptions. */
function linesOf({ api, comparison }: ReportedUpdate): Line[] {
  const changes = comparison?.result.changes ?? [];
  const texts = changes.filter(({ kind }) => kind === "text");
  const lines = changes
    .filter(({ kind }) => kind !== "text")
    .map((change): Line => ({
      api,
      group: isUsed(change) ? "used" : mostSevere(change),
      text: changeItem(change),
    }));
  const counted = escapeMarkdown(countsByRule(texts));
  return texts.length === 0
    ? lines
    : [...lines, { api, group: "info", text: `- ${counted}` }];
}

/** Formats changes in at most `limit` bytes. */
function changesText(lines: readonly Line[], limit: number): string {
  const complete = sectionsOf(lines, []);
  if (sizeOf(complete) <= limit) return complete;
  const ordered = GROUPS.flatMap((group) =>
    lines.filter((line) => line.group === group),
  );
  // The text grows with the number of lines, so the largest number that fits is
  // found by bisection.
  let [fits, exceeds] = [0, ordered.length];
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    const text = sectionsOf(ordered.slice(0, middle), ordered.slice(middle));
    if (sizeOf(text) <= limit) fits = middle;
    else exceeds = middle;
  }
  const text = sectionsOf(ordered.slice(0, fits), ordered.slice(fits));
  if (sizeOf(text) <= limit) return text;
  const short = `\n${formatCount(ordered.length, "change")} not shown.\n`;
  return sizeOf(short) <= limit ? short : "";
}

function sectionsOf(shown: readonly Line[], omitted: readonly Line[]): string {
  const sections = GROUPS.map((group) => {
    const lines = shown.filter((line) => line.group === group);
    if (lines.length === 0) return "";
    const body = groupsOf(lines)
      .map(
        ([api, own]) =>
          `**${escapeMarkdown(api)}**\n\n${own.map(({ text }) => text).join("\n")}\n`,
      )
      .join("\n");
    const title = `${TITLES[group]}: ${lines.length}`;
    return group === "used" || group === "breaking"
      ? `\n#### ${title}\n\n${body}`
      : `\n<details><summary>${title}</summary>\n\n${body}\n</details>\n`;
  });
  return sections.join("") + omittedText(omitted);
}

/** Counts the changes that are not shown, by API and severity. */
function omittedText(lines: readonly Line[]): string {
  if (lines.length === 0) return "";
  const items = groupsOf(lines).map(([api, own]) => {
    const counts = GROUPS.map((group) => {
      const count = own.filter((line) => line.group === group).length;
      return count === 0 ? "" : `${count} ${group}`;
    }).filter((text) => text !== "");
    return `- ${codeSpan(api)}: ${counts.join(", ")}`;
  });
  return `\n#### Not shown: ${lines.length}\n\n${items.join("\n")}\n`;
}

function groupsOf(
  lines: readonly Line[],
): readonly (readonly [api: string, lines: readonly Line[]])[] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const own = groups.get(line.api);
    if (own === undefined) groups.set(line.api, [line]);
    else own.push(line);
  }
  return [...groups];
}
