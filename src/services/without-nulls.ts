/**
 * Removes members that are `null` from a JSON text: many clients send `null` for unset
 * members. Elements of lists stay, and so do members whose `null` has a meaning.
 *
 * @param nullable names of members that may be `null`
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
    // Not JSON, or nested too deeply: the server reports it.
    return text;
  }
}
