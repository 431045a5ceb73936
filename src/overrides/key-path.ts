/** Path to a value. A string is a map key; a number is a list index. */
export type KeyPath = readonly (string | number)[];

/**
 * Returns a path as a string in which `[]` replaces each list index:
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

/**
 * Returns the last key of a path such as `virtualhosts[].name`; `[]` for a list
 * element.
 */
export function lastKey(path: string): string {
  if (path.endsWith("[]")) return "[]";
  return path.slice(path.lastIndexOf(".") + 1);
}

/**
 * Replaces each `[]` in the path `general` with the list index at the same
 * position in the path `near`. Stops at the first key that differs between the
 * paths.
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
