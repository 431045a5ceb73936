import { entryOf, isNull, type Entry } from "../document/tree.js";
import type { RewriteSession } from "./rewrite-session.js";
import { formatScalar } from "./edits.js";

/**
 * Block such as `gcp`, and the top-level keys of version 1.1 ("flat keys") that
 * the block replaces.
 */
interface FlatKeyGroup {
  readonly stanza: string;
  readonly keys: readonly (readonly [flat: string, key: string])[];
}

const GROUPS: readonly FlatKeyGroup[] = [
  {
    stanza: "gcp",
    keys: [
      ["gcpProjectID", "projectID"],
      ["gcpRegion", "region"],
      ["gcpProjectIDRuntime", "gcpProjectIDRuntime"],
    ],
  },
  {
    stanza: "k8sCluster",
    keys: [
      ["k8sClusterName", "name"],
      ["k8sClusterRegion", "region"],
    ],
  },
];

/**
 * Returns the value of a property from its block. If the property is missing
 * there, returns the value of the flat key that the block replaces.
 */
export function valueOfMovedKey(
  { root }: RewriteSession,
  stanza: string,
  key: string,
): string | undefined {
  const flat = GROUPS.find((group) => group.stanza === stanza)!.keys.find(
    ([, name]) => name === key,
  )![0];
  const entry =
    entryOf(entryOf(root, stanza)?.value, key) ?? entryOf(root, flat);
  return entry?.value.kind === "scalar" && !isNull(entry.value)
    ? entry.value.text
    : undefined;
}

/**
 * Moves the flat top-level keys of version 1.1 into the blocks that replace
 * them.
 */
export function moveFlatKeys(session: RewriteSession): void {
  for (const group of GROUPS) moveGroup(session, group);
}

function moveGroup(
  session: RewriteSession,
  { stanza, keys }: FlatKeyGroup,
): void {
  const { root, layout } = session;
  const stanzaEntry = entryOf(root, stanza);
  const lines: string[] = [];
  const flatEntries: Entry[] = [];
  for (const [flat, key] of keys) {
    const entry = entryOf(root, flat);
    if (entry === undefined) {
      if (key === "region") lines.push(...regionLine(session, stanza));
      continue;
    }
    if (!layout.isOneLine(entry) || !layout.beginsLine(entry))
      session.addRefusal(
        `line ${layout.lineOf(entry.keyRange.start)}: the key ${flat} and its value must be on one line`,
      );
    flatEntries.push(entry);
    const why = redundancyReason(session, stanza, key, entry);
    if (why === undefined) {
      lines.push(`${key}:${layout.restOfLine(entry)}`);
      session.addChange(
        entry.keyRange.start,
        flat,
        "moved",
        `${flat} moved to ${stanza}.${key}`,
      );
    } else session.addChange(entry.keyRange.start, flat, "removed", why);
  }
  insertIntoStanza(session, stanza, stanzaEntry, flatEntries, lines);
}

/**
 * Returns the reason why a flat key of version 1.1 can be removed; undefined if
 * its value must be moved to a block.
 */
function redundancyReason(
  session: RewriteSession,
  stanza: string,
  key: string,
  entry: Entry,
): string | undefined {
  const { root } = session;
  const isThere = entryOf(entryOf(root, stanza)?.value, key) !== undefined;
  if (isThere) return `${stanza}.${key} already has this value`;
  const isOwn =
    key === "gcpProjectIDRuntime" &&
    entry.value.kind === "scalar" &&
    entry.value.text === valueOfMovedKey(session, "gcp", "projectID");
  return isOwn ? "gcp.projectID already has this value" : undefined;
}

function regionLine(session: RewriteSession, stanza: string): string[] {
  if (valueOfMovedKey(session, stanza, "region") !== undefined) return [];
  const { region } = session.options;
  if (region === undefined) {
    if (stanza === "gcp")
      session.addWarning(
        "gcp.region is missing and defaults to us-central1; pass --region to set a different region",
      );
    return [];
  }
  session.addChange(
    0,
    `${stanza}.region`,
    "added",
    `${stanza}.region: ${region}`,
  );
  return [`region: ${formatScalar(region)}`];
}

function insertIntoStanza(
  session: RewriteSession,
  stanza: string,
  stanzaEntry: Entry | undefined,
  flatEntries: readonly Entry[],
  lines: readonly string[],
): void {
  const { root, layout } = session;
  if (stanzaEntry === undefined)
    return createStanza(session, stanza, flatEntries, lines);
  session.removeEntries(root, flatEntries);
  if (lines.length === 0) return;
  if (stanzaEntry.value.kind !== "map" || stanzaEntry.aliasRange !== undefined)
    return session.addRefusal(
      `line ${layout.lineOf(stanzaEntry.keyRange.start)}: ${stanza} must be a block of keys`,
    );
  const last = stanzaEntry.value.entries
    .filter((e) => e.isMerged !== true)
    .at(-1);
  if (stanzaEntry.value.isFlow || last === undefined)
    return session.addRefusal(
      `line ${layout.lineOf(stanzaEntry.keyRange.start)}: ${stanza} must be a block in block style, with at least one key`,
    );
  const indent = " ".repeat(layout.columnOf(last.keyRange.start));
  session.insertLines(
    layout.lineAfter(last),
    lines.map((line) => `${indent}${line}`),
  );
}

/**
 * Creates a block at the position of the first of the given flat keys, and
 * removes these keys.
 */
function createStanza(
  session: RewriteSession,
  stanza: string,
  flatEntries: readonly Entry[],
  lines: readonly string[],
): void {
  const { root, layout, edits } = session;
  const first = [...flatEntries].sort(
    (a, b) => a.keyRange.start - b.keyRange.start,
  )[0];
  if (first === undefined) return;
  const others = flatEntries.filter((entry) => entry !== first);
  session.removeEntries(root, others);
  const { start } = first.keyRange;
  const line = layout.lineOf(start);
  const end =
    start + layout.lines.lineText(line).length - layout.columnOf(start);
  const indent = " ".repeat(layout.columnOf(start)) + layout.step;
  const body = lines.map((text) => `${layout.lineEnd}${indent}${text}`);
  edits.replace({ start, end }, `${stanza}:${body.join("")}`);
}
