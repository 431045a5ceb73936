import type { RawSchema } from "../load/raw.js";

/** Maximum nesting depth of lists and maps in the name of a type. */
const MAX_DEPTH = 5;

/** Maximum number of alternatives (`x-one-of`) in the name of a type. */
const MAX_OPTIONS = 20;

/**
 * Returns the name of a type as text, such as `list of File` or `string int64`.
 * @param escape formats names from the document; default: unchanged
 */
export function typeText(
  schema: RawSchema,
  escape: (text: string) => string = (text) => text,
  depth = 0,
): string {
  const { $ref, type = "any", format, items, additionalProperties } = schema;
  const inner = (part: RawSchema): string => typeText(part, escape, depth + 1);
  if ($ref !== undefined) return escape($ref);
  const options = schema["x-one-of"] ?? [];
  if (depth < MAX_DEPTH && options.length > 0)
    return options
      .slice(0, MAX_OPTIONS)
      .map(inner)
      .concat(options.length > MAX_OPTIONS ? ["…"] : [])
      .concat(schema["x-nullable"] === true ? ["null"] : [])
      .join(" or ");
  const [item] = [items ?? {}].flat();
  if (depth < MAX_DEPTH && type === "array")
    return `list of ${inner(item ?? {})}`;
  if (
    depth < MAX_DEPTH &&
    type === "object" &&
    typeof additionalProperties === "object"
  )
    return `map of ${inner(additionalProperties)}`;
  return escape(format === undefined ? type : `${type} ${format}`);
}
