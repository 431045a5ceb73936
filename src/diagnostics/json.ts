/**
 * Tests whether a value is a JSON object, that is, neither null nor an array.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Formats JSON for files and terminals: indented by two spaces, without a final
 * newline.
 */
export function printJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
