/** Maximum number of names that a message lists. */
const MAX_NAMES = 5;

/** Maximum length of a quoted value in a message. */
const MAX_TEXT = 120;

/** Lists names for a message: `(a, b, c, d, e, …)`. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ", …" : "";
  return `(${names.slice(0, MAX_NAMES).map(shortened).join(", ")}${more})`;
}

/** Quotes at most 120 characters of a value. */
export function quoted(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "undefined");
}

/** Returns true for a text with characters other than white space. */
export function hasText(text: unknown): boolean {
  return typeof text === "string" && /\S/.test(text);
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
