import { createHash } from "node:crypto";

/** Document fields that can change although the API is unchanged. */
const VOLATILE: ReadonlySet<string> = new Set(["etag", "revision"]);

/**
 * Returns the keys of an object in canonical order (by UTF-16 code units).
 * Optimized for keys that are already sorted, as in most published documents:
 * one pass is enough.
 */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let at = 1; at < keys.length; at++)
    if (keys[at - 1]! > keys[at]!) return keys.sort();
  return keys;
}

/**
 * Returns the keys of an object: first the listed keys, then the others in
 * canonical order.
 */
export function orderedKeys(
  object: object,
  first: readonly string[] | undefined,
): string[] {
  const keys = sortedKeys(object);
  if (first === undefined || first.length === 0) return keys;
  const leading = new Set(first.filter((key) => Object.hasOwn(object, key)));
  return [...leading, ...keys.filter((key) => !leading.has(key))];
}

/** Returns a JSON value with the keys of all objects in canonical order. */
export function canonicalValue(value: unknown): unknown {
  return JSON.parse(textOf(value, new Set())) as unknown;
}

/**
 * Returns the canonical text of a parsed document: JSON without white space,
 * with sorted keys, and without `etag` and `revision`. Documents that differ
 * only in the order of keys have the same canonical text.
 */
export function canonicalDocument(document: unknown): string {
  return textOf(document, VOLATILE);
}

/**
 * Returns the SHA-256 of the canonical text of a parsed document, in
 * hexadecimal.
 */
export function documentDigest(document: unknown): string {
  return createHash("sha256").update(canonicalDocument(document)).digest("hex");
}

/** Piece of serialized text, or a value that must still be serialized. */
type Part = { readonly text: string } | { readonly value: unknown };

/**
 * Serializes a value to JSON without recursion.
 * @param omitted keys of the root object to omit
 */
function textOf(root: unknown, omitted: ReadonlySet<string>): string {
  const texts: string[] = [];
  const stack: Part[] = [{ value: root }];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if ("text" in part) texts.push(part.text);
    else if (typeof part.value !== "object" || part.value === null)
      texts.push(JSON.stringify(part.value) ?? "null");
    else {
      const parts = partsOf(part.value, part.value === root, omitted);
      for (let at = parts.length; at > 0; at--) stack.push(parts[at - 1]!);
    }
  }
  return texts.join("");
}

function partsOf(
  value: object,
  isRoot: boolean,
  omitted: ReadonlySet<string>,
): Part[] {
  const comma = { text: "," };
  if (Array.isArray(value)) {
    const items = (value as readonly unknown[]).flatMap((item, at): Part[] =>
      at === 0 ? [{ value: item }] : [comma, { value: item }],
    );
    return [{ text: "[" }, ...items, { text: "]" }];
  }
  const object = value as Readonly<Record<string, unknown>>;
  const keys = sortedKeys(object).filter((key) => !isRoot || !omitted.has(key));
  const members = keys.flatMap((key, at): Part[] => [
    { text: `${at === 0 ? "" : ","}${JSON.stringify(key)}:` },
    { value: object[key] },
  ]);
  return [{ text: "{" }, ...members, { text: "}" }];
}
