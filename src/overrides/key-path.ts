/** Path to a value: keys of maps, and indexes of lists. */
export type KeyPath = readonly (string | number)[];

/**
 * Returns the general form of a path, in which `[]` replaces each list index:
 * `virtualhosts[].name`.
 */
export function generalPath(path: KeyPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += "[]";
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** Returns the last key in a general path; `[]` for a list element. */
export function lastKey(path: string): string {
  if (path.endsWith("[]")) return "[]";
  return path.slice(path.lastIndexOf(".") + 1);
}

/**
 * Replaces `[]` in a general path by the list indexes of another path, up to
 * the first key in which the paths differ.
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
