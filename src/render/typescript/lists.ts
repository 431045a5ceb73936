/** First marker of a list in running text: behind a colon. */
const AFTER_COLON = /: ([*-]) (?=[^\s*-])/;

/** First marker of a list that is the whole text. */
const AT_START = /^([*-]) (?=[^\s*-])/;

/** Markers between items; code in backticks is skipped. */
const MARKERS = {
  "*": /`[^`\n]*`| \*(?= [^\s*-])/g,
  "-": /`[^`\n]*`| -(?= [^\s*-])/g,
};

/** A line that is an item of a list already. */
const ITEM = /^\s*(?:[*+-]|\d+[.)]) /;

/**
 * Breaks Markdown lists that run on in one line ("one of: * a * b") before
 * their markers. Only lists of at least two items are broken, the first of them
 * after a colon or at the start of the text; everything else is prose in which
 * an asterisk or dash means something else.
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

function breakLine(line: string, also?: RegExp): string {
  const found = also?.exec(line) ?? AFTER_COLON.exec(line);
  if (found === null) return line;
  const marker = found[1] as "*" | "-";
  const start = found.index + found[0].length;
  const items = line
    .slice(start)
    .replace(MARKERS[marker], (match) =>
      match.startsWith("`") ? match : `\n${marker}`,
    );
  const isList = items.includes("\n");
  const before = found[0].startsWith(":")
    ? `${line.slice(0, found.index)}:\n`
    : "";
  return isList ? `${before}${marker} ${items}` : line;
}
