import { createHash } from "node:crypto";

/** Fields of a document that change without a change of what it describes. */
const VOLATILE: ReadonlySet<string> = new Set(["etag", "revision"]);

/**
 * Keys of an object in canonical order, which is that of their UTF-16 code units.
 * Real documents are sorted for the most part, and then one look suffices.
 */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let at = 1; at < keys.length; at++)
    if (keys[at - 1]! > keys[at]!) return keys.sort();
  return keys;
}

/** Names in canonical order: the given ones first, as far as the object has them. */
export function orderedKeys(
  object: object,
  first: readonly string[] | undefined,
): string[] {
  const keys = sortedKeys(object);
  if (first === undefined || first.length === 0) return keys;
  const leading = new Set(first.filter((key) => Object.hasOwn(object, key)));
  return [...leading, ...keys.filter((key) => !leading.has(key))];
}

/** The same JSON value with the keys of all objects in canonical order. */
export function canonicalValue(value: unknown): unknown {
  return JSON.parse(textOf(value, new Set())) as unknown;
}

/**
 * Canonical text of a parsed document: JSON without blanks, keys in canonical
 * order, without `etag` and `revision`. Two documents that say the same have the
 * same text, whatever order a service gave them in.
 */
export function canonicalDocument(document: unknown): string {
  return textOf(document, VOLATILE);
}

/** SHA-256 of the canonical text of a parsed document, in hexadecimal digits. */
export function documentDigest(document: unknown): string {
  return createHash("sha256").update(canonicalDocument(document)).digest("hex");
}

/** A piece of text, or a value that is still to be written. */
type Part = { readonly text: string } | { readonly value: unknown };

/**
 * Writes with a stack of its own, so that no depth is too deep.
 *
 * @param left keys of the outermost object that are left out
 */
function textOf(root: unknown, left: ReadonlySet<string>): string {
  const texts: string[] = [];
  const stack: Part[] = [{ value: root }];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if ("text" in part) texts.push(part.text);
    else if (typeof part.value !== "object" || part.value === null)
      texts.push(JSON.stringify(part.value) ?? "null");
    else {
      const parts = partsOf(part.value, part.value === root, left);
      for (let at = parts.length; at > 0; at--) stack.push(parts[at - 1]!);
    }
  }
  return texts.join("");
}

function partsOf(
  value: object,
  isRoot: boolean,
  left: ReadonlySet<string>,
): Part[] {
  const comma = { text: "," };
  if (Array.isArray(value)) {
    const items = (value as readonly unknown[]).flatMap((item, at): Part[] =>
      at === 0 ? [{ value: item }] : [comma, { value: item }],
    );
    return [{ text: "[" }, ...items, { text: "]" }];
  }
  const object = value as Readonly<Record<string, unknown>>;
  const keys = sortedKeys(object).filter((key) => !isRoot || !left.has(key));
  const members = keys.flatMap((key, at): Part[] => [
    { text: `${at === 0 ? "" : ","}${JSON.stringify(key)}:` },
    { value: object[key] },
  ]);
  return [{ text: "{" }, ...members, { text: "}" }];
}
