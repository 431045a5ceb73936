/** Matches the first marker of a list after a colon. */
const AFTER_COLON = /: ([*-]) (?=[^\s*-])/;

/** Matches the first marker of a list at the start of a text. */
const AT_START = /^([*-]) (?=[^\s*-])/;

/** Match markers between items, and code in backticks, which is skipped. */
const MARKERS = {
  "*": /`[^`\n]*`| \*(?= [^\s*-])/g,
  "-": /`[^`\n]*`| -(?= [^\s*-])/g,
};

/** Matches a line that already is an item of a list. */
const ITEM = /^\s*(?:[*+-]|\d+[.)]) /;

/**
 * Breaks Markdown lists that are on one line ("one of: * a * b") before their
 * markers. A list has at least two items, the first of them after a colon or at
 * the start of the text. In other prose, asterisks and dashes are not markers.
 */
export function breakLists(text: string): string {
  if (!text.includes(" * ") && !text.includes(" - ")) return text;
  if (text.includes("```")) return text;
  if (!text.includes("\n")) return breakLine(text, AT_START);
  return text
    .split("\n")
    .map((line) => (ITEM.test(line) ? line : breakLine(line)))
    .join("\n");
}

function breakLine(line: string, start?: RegExp): string {
  const found = start?.exec(line) ?? AFTER_COLON.exec(line);
  if (found === null) return line;
  const marker = found[1] as "*" | "-";
  const end = found.index + found[0].length;
  const items = line
    .slice(end)
    .replace(MARKERS[marker], (match) =>
      match.startsWith("`") ? match : `\n${marker}`,
    );
  const isList = items.includes("\n");
  const before = found[0].startsWith(":")
    ? `${line.slice(0, found.index)}:\n`
    : "";
  return isList ? `${before}${marker} ${items}` : line;
}
