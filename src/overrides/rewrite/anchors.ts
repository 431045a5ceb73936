import type { SharedName } from "../document/trouble.js";
import type { Rewriting } from "./rewriting.js";

/** An anchor that goes while aliases of it stay moves to the first of them. */
export function keepAnchors(
  rewriting: Rewriting,
  names: readonly SharedName[],
): void {
  const { edits } = rewriting;
  for (const [index, anchor] of names.entries()) {
    if (anchor.isAlias || !edits.covers(anchor.range.start)) continue;
    const heir = usersOf(names.slice(index + 1), anchor.name).find(
      ({ range }) => !edits.covers(range.start),
    );
    if (heir !== undefined) inherit(rewriting, anchor, heir);
  }
}

/** Aliases up to the next anchor of the same name. */
function usersOf(names: readonly SharedName[], name: string): SharedName[] {
  const same = names.filter((other) => other.name === name);
  const end = same.findIndex(({ isAlias }) => !isAlias);
  return end < 0 ? same : same.slice(0, end);
}

function inherit(
  rewriting: Rewriting,
  anchor: SharedName,
  heir: SharedName,
): void {
  const source = rewriting.source(anchor.range).trimEnd();
  const line = rewriting.layout.lineOf(anchor.range.start);
  if (source.includes("\n"))
    return rewriting.refuse(
      `line ${line}: what has to go is used elsewhere as *${anchor.name}`,
    );
  rewriting.edits.replace(heir.range, source);
}
