/** Pattern that matches the first list marker after a colon. */
const AFTER_COLON = /: ([*-]) (?=[^\s*-])/;

/** Pattern that matches a list marker at the start of a string. */
const AT_START = /^([*-]) (?=[^\s*-])/;

/**
 * Patterns that match the markers between list items. They also match entire
 * code spans in backticks, so that a marker in code is not treated as a list
 * marker.
 */
const MARKERS = {
  "*": /`[^`\n]*`| \*(?= [^\s*-])/g,
  "-": /`[^`\n]*`| -(?= [^\s*-])/g,
};

/** Pattern that matches a line that is already a list item. */
const ITEM = /^\s*(?:[*+-]|\d+[.)]) /;

/**
 * Inserts line feeds before the markers of Markdown lists that are written on
 * one line ("one of: * a * b"). A list has at least two items, and its first
 * item follows a colon or is at the start of the text. Other asterisks and
 * dashes are not treated as list markers.
 */
export function breakLists(text: string): string {
  // `* ` is searched before ` * `, because searching for a string is several
  // times faster if the string's first character is rare.
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
