import type { ChatUsage } from "../../../generated/admin/v1/schemas.js";

/** Formats of a report of the usage. */
export const usageFormats = ["text", "json", "csv"] as const;
export type UsageFormat = (typeof usageFormats)[number];

/** Columns of a report: members of the rows. */
const COLUMNS = [
  "day",
  "key",
  "name",
  "owner",
  "model",
  "requests",
  "estimated_requests",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
] as const satisfies readonly (keyof ChatUsage)[];

/** Index of the first column with counts. */
const FIRST_COUNT = COLUMNS.indexOf("requests");

/**
 * Formats usage as a table with a sum, as JSON (an array of rows), or as CSV (RFC
 * 4180, with a header). The text ends with a line break.
 */
export function formatUsage(
  rows: readonly ChatUsage[],
  format: UsageFormat,
): string {
  if (format === "json") return `${JSON.stringify(rows, null, 2)}\n`;
  const cells = rows.map((row) => COLUMNS.map((member) => String(row[member])));
  if (format === "csv")
    return [COLUMNS, ...cells]
      .map((line) => `${line.map(csvCell).join(",")}\r\n`)
      .join("");
  if (rows.length === 0) return "no usage\n";
  return table([COLUMNS, ...cells, sumOf(rows)]);
}

/** Quotes a cell that contains a separator, a quote or a line break. */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the last line of a table: the sums of the counts. */
function sumOf(rows: readonly ChatUsage[]): string[] {
  return COLUMNS.map((member) => {
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
