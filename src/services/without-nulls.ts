/**
 * Removes members that are `null` from a JSON text, because many clients send
 * `null` for unset members. Keeps `null` in lists, and keeps members for which
 * `null` has a meaning.
 *
 * @param nullable names of members for which `null` has a meaning
 */
export function withoutNulls(
  text: string,
  nullable: ReadonlySet<string> = new Set(),
): string {
  if (!/:\s*null\b/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text, function (key, member: unknown) {
      const isDropped =
        member === null &&
        !Array.isArray(this) &&
        key !== "" &&
        !nullable.has(key);
      return isDropped ? undefined : member;
    });
    return JSON.stringify(value);
  } catch {
    // The text is not JSON, or is nested too deeply. The server reports this
    // error later.
    return text;
  }
}
