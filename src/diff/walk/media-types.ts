/**
 * Returns the media types of the first list that the second list does not
 * accept. An empty list accepts all types.
 */
export function notAccepted(
  types: readonly string[],
  accept: readonly string[],
): readonly string[] {
  if (accept.length === 0 || accept.includes("*/*")) return [];
  if (types.length === 0) return ["*/*"];
  return types.filter(
    (type) =>
      !accept.includes(type) && !accept.includes(`${type.split("/")[0]}/*`),
  );
}
