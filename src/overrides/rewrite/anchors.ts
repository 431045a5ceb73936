import type { SharedName } from "../document/parsed-yaml.js";
import type { Rewriting } from "./session.js";

/** An anchor that goes while aliases of it stay moves to the first of them. */
export function keepAnchors(
  rewriting: Rewriting,
  names: readonly SharedName[],
): void {
  const { edits } = rewriting;
  /** Anchors that go and have no heir yet, by name. */
  const lost = new Map<string, SharedName>();
  const inherited: [SharedName, SharedName][] = [];
  for (const found of names) {
    const isGone = edits.covers(found.range.start);
    if (!found.isAlias) {
      // An anchor of the same name ends the scope of the one above it.
      lost.delete(found.name);
      if (isGone) lost.set(found.name, found);
      continue;
    }
    const anchor = lost.get(found.name);
    if (anchor === undefined || isGone) continue;
    lost.delete(found.name);
    inherited.push([anchor, found]);
  }
  for (const [anchor, heir] of inherited) inherit(rewriting, anchor, heir);
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
