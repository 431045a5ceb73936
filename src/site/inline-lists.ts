import { breakLists } from "../render/typescript/lists.js";

/** Numbers such as ` 2. ` or ` 2) `, with the character before. */
const NUMBERS = /(?:(^|\S) |^)(\d{1,2}[.)])(?= (?:\S|$))/g;

/** Bullets such as ` * `, with the character before. */
const BULLETS = /(?:(^|\S) |^)([*-])(?= (?:[^\s*-]|\*{1,2}[^\s*]|$))/g;

/** Marker of an item of a list. */
interface Marker {
  /** Position of the marker in its line. */
  readonly at: number;
  readonly text: string;
  /** Character before the space before the marker; empty at the start. */
  readonly before: string;
}

/**
 * Inserts line feeds before the items of Markdown lists that are written on one
 * line: bullets after a sentence or a colon, and numbers that count from 1 or
 * repeat it. A list has at least two items.
 */
export function withLists(text: string): string {
  if (text.includes("```")) return text;
  return breakLists(text)
    .split("\n")
    .map((line) => broken(line, numbersOf(line)))
    .join("\n")
    .split("\n")
    .map((line) => broken(line, bulletsOf(line)))
    .join("\n");
}

function broken(line: string, items: readonly Marker[]): string {
  if (items.length < 2) return line;
  let text = "";
  let end = 0;
  for (const { at } of items) {
    text += line.slice(end, at).trimEnd();
    if (at > 0) text += "\n";
    end = at;
  }
  return text + line.slice(end);
}

/** Returns the markers outside of code spans. */
function markersOf(line: string, pattern: RegExp): Marker[] {
  let start = 0;
  return line.split("`").flatMap((part, index) => {
    const offset = start;
    start += part.length + 1;
    if (index % 2 === 1) return [];
    return [...part.matchAll(pattern)].map((match) => {
      const [all, previous = "", text = ""] = match;
      const before = previous === "" && index > 0 ? "`" : previous;
      const at = offset + match.index + all.length - text.length;
      return { at, text, before };
    });
  });
}

/** Returns the markers of items that are numbered one after the other. */
function numbersOf(line: string): Marker[] {
  const items: Marker[] = [];
  let last = 0;
  for (const marker of markersOf(line, NUMBERS)) {
    const number = Number.parseInt(marker.text, 10);
    const isNext =
      last > 0
        ? number === last + 1 || (number === 1 && last === 1)
        : number === 1 && /^$|[.,:;!?)]/.test(marker.before);
    if (!isNext || !marker.text.endsWith(items[0]?.text.at(-1) ?? "")) continue;
    items.push(marker);
    last = number;
  }
  return items;
}

/** Returns the bullets from the first one that follows a sentence or a colon. */
function bulletsOf(line: string): Marker[] {
  const markers = markersOf(line, BULLETS);
  const first = markers.findIndex(({ before }) => /^$|[.:;!?]/.test(before));
  return first < 0
    ? []
    : markers.slice(first).filter(({ text }) => text === markers[first]!.text);
}
