/** A place in a file: keys, and numbers of elements. */
export type FilePath = readonly (string | number)[];

/** The place with any element in place of each number: `virtualhosts[].name`. */
export function generalPath(path: FilePath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += "[]";
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** The last key of a general path; `[]` for an element. */
export function lastKey(path: string): string {
  if (path.endsWith("[]")) return "[]";
  return path.slice(path.lastIndexOf(".") + 1);
}

/** A general path near a place: with its numbers, as far as both go the same way. */
export function placeOf(general: string, near: FilePath): string {
  const parts = general.split(/\.|(?=\[\])/);
  let isSame = true;
  let text = "";
  for (const [index, part] of parts.entries()) {
    const other = near[index];
    isSame &&= part === "[]" ? typeof other === "number" : part === other;
    const own = isSame && typeof other === "number" ? `[${other}]` : part;
    text += text === "" || part === "[]" ? own : `.${own}`;
  }
  return text;
}
