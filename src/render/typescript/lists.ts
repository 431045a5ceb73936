/** Pattern of the first list marker after a colon. */
const AFTER_COLON = /: ([*-]) (?=[^\s*-])/;

/** Pattern of a list marker at the start of a string. */
const AT_START = /^([*-]) (?=[^\s*-])/;

/**
 * Patterns of the markers between list items. They also match code in
 * backticks, so that markers in code are skipped.
 */
const MARKERS = {
  "*": /`[^`\n]*`| \*(?= [^\s*-])/g,
  "-": /`[^`\n]*`| -(?= [^\s*-])/g,
};

/** Pattern of a line that is already a list item. */
const ITEM = /^\s*(?:[*+-]|\d+[.)]) /;

/**
 * Inserts line feeds before the markers of Markdown lists that are written on
 * one line ("one of: * a * b"). A list has at least two items, and its first
 * item follows a colon or is at the start of the text. Other asterisks and
 * dashes are not treated as list markers.
 */
export function breakLists(text: string): string {
  // The search for a rare first character skips prose several times faster than
  // one for a space.
  if (!text.includes("* ") && !text.includes("- ")) return text;
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
