/**
 * Characters that are not visible, as part of a character class: C1 control
 * characters, soft hyphen, zero-width characters, line separators and
 * bidirectional control characters. With them, text looks different from what is
 * compiled, run or copied.
 */
export const INVISIBLE: string =
  "\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff";

/** Pattern for control and invisible characters, line breaks included. */
const EVERY = new RegExp(`[\\u0000-\\u001f${INVISIBLE}]`, "g");

/** Pattern for these characters, except tabs and line feeds. */
const EXCEPT_LINES = new RegExp(
  `[\\u0000-\\u0008\\u000b-\\u001f${INVISIBLE}]`,
  "g",
);

/**
 * Escapes control and invisible characters as in JSON, so that text of documents
 * and file names can't control a terminal or reorder a line.
 */
export function visible(text: string): string {
  return text.replace(EVERY, escapeCharacter);
}

/** Tests whether a text contains such characters other than tabs and line feeds. */
export function hasInvisible(text: string): boolean {
  return text.search(EXCEPT_LINES) >= 0;
}

/** Escapes the same characters except tabs and line feeds. */
export function visibleLines(text: string): string {
  return text.replace(EXCEPT_LINES, escapeCharacter);
}

/** Replaces the same characters except tabs and line feeds with U+FFFD. */
export function replaceInvisible(text: string): string {
  return text.replace(EXCEPT_LINES, "\ufffd");
}

function escapeCharacter(character: string): string {
  const json = JSON.stringify(character).slice(1, -1);
  return json === character
    ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    : json;
}
