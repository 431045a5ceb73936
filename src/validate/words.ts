/** Maximum number of names that a message lists. */
const MAX_NAMES = 5;

/** Maximum length of a quoted value in a message. */
const MAX_TEXT = 120;

/** Formats a list of names for a message: `(a, b, c, d, e, …)`. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ", …" : "";
  return `(${names.slice(0, MAX_NAMES).map(shortened).join(", ")}${more})`;
}

/** Quotes a value for a message, truncated to 120 characters. */
export function quoted(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "undefined");
}

/**
 * Tests whether a value is a string that contains characters other than white
 * space.
 */
export function hasText(text: unknown): boolean {
  return typeof text === "string" && /\S/.test(text);
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
