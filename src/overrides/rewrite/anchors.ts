import type { AnchorOrAlias } from "../document/parsed-yaml.js";
import type { RewriteSession } from "./session.js";

/** Moves the anchor of a removed value to the first remaining alias. */
export function preserveAnchors(
  session: RewriteSession,
  names: readonly AnchorOrAlias[],
): void {
  const { edits } = session;
  /** Removed anchors that were not moved yet, by name. */
  const lost = new Map<string, AnchorOrAlias>();
  const inherited: [AnchorOrAlias, AnchorOrAlias][] = [];
  for (const found of names) {
    const isGone = edits.covers(found.range.start);
    if (!found.isAlias) {
      // An anchor with the same name ends the scope of the one above it.
      lost.delete(found.name);
      if (isGone) lost.set(found.name, found);
      continue;
    }
    const anchor = lost.get(found.name);
    if (anchor === undefined || isGone) continue;
    lost.delete(found.name);
    inherited.push([anchor, found]);
  }
  for (const [anchor, heir] of inherited) moveAnchor(session, anchor, heir);
}

function moveAnchor(
  session: RewriteSession,
  anchor: AnchorOrAlias,
  heir: AnchorOrAlias,
): void {
  const source = session.source(anchor.range).trimEnd();
  const line = session.layout.lineOf(anchor.range.start);
  if (source.includes("\n"))
    return session.addRefusal(
      `line ${line}: the removed value is used elsewhere as *${anchor.name}`,
    );
  session.edits.replace(heir.range, source);
}
