import type { UsageRow } from "./usage-records.js";

/** Formats of a report of the usage. */
export const usageFormats = ["text", "json", "csv"] as const;
export type UsageFormat = (typeof usageFormats)[number];

/** Columns of a report, by the member of the row. */
const COLUMNS: readonly (readonly [keyof UsageRow, string])[] = [
  ["day", "day"],
  ["key", "key"],
  ["name", "name"],
  ["owner", "owner"],
  ["model", "model"],
  ["requests", "requests"],
  ["estimatedRequests", "estimated_requests"],
  ["promptTokens", "prompt_tokens"],
  ["completionTokens", "completion_tokens"],
  ["totalTokens", "total_tokens"],
];

/** Index of the first column with counts. */
const FIRST_COUNT = COLUMNS.findIndex(([member]) => member === "requests");

/**
 * Formats usage as a table with a sum, as JSON (an array of rows), or as CSV (RFC
 * 4180, with a header). The text ends with a line break.
 */
export function formatUsage(
  rows: readonly UsageRow[],
  format: UsageFormat,
): string {
  if (format === "json") return `${JSON.stringify(rows, null, 2)}\n`;
  const names = COLUMNS.map(([, name]) => name);
  const cells = rows.map((row) =>
    COLUMNS.map(([member]) => String(row[member])),
  );
  if (format === "csv")
    return [names, ...cells]
      .map((line) => `${line.map(csvCell).join(",")}\r\n`)
      .join("");
  if (rows.length === 0) return "no usage\n";
  return table([names, ...cells, sumOf(rows)]);
}

/** Quotes a cell that contains a separator, a quote or a line break. */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the last line of a table: the sums of the counts. */
function sumOf(rows: readonly UsageRow[]): string[] {
  return COLUMNS.map(([member]) => {
    if (member === "day") return "total";
    if (typeof rows[0]![member] !== "number") return "";
    return String(rows.reduce((sum, row) => sum + Number(row[member]), 0));
  });
}

/** Aligns texts to the left and counts to the right. */
function table(lines: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, at) =>
    Math.max(...lines.map((line) => line[at]!.length)),
  );
  const format = (line: readonly string[]): string =>
    line
      .map((text, at) =>
        at < FIRST_COUNT
          ? text.padEnd(widths[at]!)
          : text.padStart(widths[at]!),
      )
      .join("  ");
  return lines.map((line) => `${format(line)}\n`).join("");
}
