/** Path of a value in a file: keys, and indexes of list elements. */
export type KeyPath = readonly (string | number)[];

/** Replaces each index by `[]`: `virtualhosts[].name`. */
export function generalPath(path: KeyPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += "[]";
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** Returns the last key of a general path; `[]` for a list element. */
export function lastKey(path: string): string {
  if (path.endsWith("[]")) return "[]";
  return path.slice(path.lastIndexOf(".") + 1);
}

/**
 * Inserts the indexes of a nearby path into a general path, as far as both have
 * the same keys.
 */
export function concretePath(general: string, near: KeyPath): string {
  const parts = general.split(/\.|(?=\[\])/);
  let isSame = true;
  let text = "";
  for (const [index, part] of parts.entries()) {
    const other = near[index];
    isSame &&= part === "[]" ? typeof other === "number" : part === other;
    const segment = isSame && typeof other === "number" ? `[${other}]` : part;
    text += text === "" || part === "[]" ? segment : `.${segment}`;
  }
  return text;
}
