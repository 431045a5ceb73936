import type { RawDocument } from "./raw.js";
import { visitDocumentRefs } from "./raw-refs.js";

/**
 * Replaces references to the id of a schema with its key in `schemas`, for
 * schemas whose id differs from their key. A reference that is also a key
 * refers to that key. An id of several schemas is not replaced. Changes the
 * document.
 */
export function resolveSchemaIds(document: RawDocument): void {
  const keys = keysOfIds(document);
  if (keys.size === 0) return;
  visitDocumentRefs(document, (owner, name) => {
    const ref = (owner[name] as string).replace(/^#(?:\/schemas\/)?/, "");
    const key = keys.get(ref);
    if (key !== undefined) owner[name] = key;
  });
}

/** Returns the keys of the schemas whose id is not a key, by id. */
function keysOfIds({ schemas = {} }: RawDocument): Map<string, string> {
  const keys = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [key, schema] of Object.entries(schemas)) {
    const id = typeof schema === "string" ? undefined : schema.id;
    if (id === undefined || Object.hasOwn(schemas, id)) continue;
    if (keys.has(id)) repeated.add(id);
    keys.set(id, key);
  }
  for (const id of repeated) keys.delete(id);
  return keys;
}
