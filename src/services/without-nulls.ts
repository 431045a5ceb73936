/**
 * The text of a JSON body without members that are `null`: many clients send them for what
 * they don't set. Elements of lists stay, and so do members of the given names, whose
 * `null` has a meaning.
 */
export function withoutNulls(
  text: string,
  kept: ReadonlySet<string> = new Set(),
): string {
  if (!/:\s*null\b/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text, function (key, member: unknown) {
      const isDropped =
        member === null && !Array.isArray(this) && key !== "" && !kept.has(key);
      return isDropped ? undefined : member;
    });
    return JSON.stringify(value);
  } catch {
    // Not JSON, or nested too deeply: the server reports it.
    return text;
  }
}
