import type { AnchorOrAlias } from "../document/tree.js";
import type { RewriteSession } from "./rewrite-session.js";

/**
 * Moves the anchor of a removed value to the first remaining alias, because
 * later aliases still refer to the anchor.
 */
export function preserveAnchors(
  session: RewriteSession,
  references: readonly AnchorOrAlias[],
): void {
  const { edits } = session;
  /**
   * Anchors of removed values, keyed by name. Moved anchors are not included.
   */
  const removedAnchors = new Map<string, AnchorOrAlias>();
  const moves: [AnchorOrAlias, AnchorOrAlias][] = [];
  for (const reference of references) {
    const isGone = edits.covers(reference.range.start);
    if (!reference.isAlias) {
      // A second anchor with the same name replaces the first one for later
      // aliases.
      removedAnchors.delete(reference.name);
      if (isGone) removedAnchors.set(reference.name, reference);
      continue;
    }
    const anchor = removedAnchors.get(reference.name);
    if (anchor === undefined || isGone) continue;
    removedAnchors.delete(reference.name);
    moves.push([anchor, reference]);
  }
  for (const [anchor, firstAlias] of moves)
    moveAnchor(session, anchor, firstAlias);
}

function moveAnchor(
  session: RewriteSession,
  anchor: AnchorOrAlias,
  firstAlias: AnchorOrAlias,
): void {
  const source = session.source(anchor.range).trimEnd();
  const line = session.layout.lineOf(anchor.range.start);
  if (source.includes("\n"))
    return session.addRefusal(
      `line ${line}: the value must be removed, but is also used as *${anchor.name}; replace this alias with the value first`,
    );
  session.edits.replace(firstAlias.range, source);
}
