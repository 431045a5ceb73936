import { entryOf, isNothing, type Entry } from "../document/tree.js";
import type { Rewriting } from "./session.js";
import { scalarText } from "./format-scalar.js";

/** A stanza and the flat keys that it took the place of. */
interface Group {
  readonly stanza: string;
  readonly keys: readonly (readonly [flat: string, key: string])[];
}

const GROUPS: readonly Group[] = [
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

/** What a property says that may be flat or in its stanza. */
export function movedValue(
  { root }: Rewriting,
  stanza: string,
  key: string,
): string | undefined {
  const flat = GROUPS.find((group) => group.stanza === stanza)!.keys.find(
    ([, name]) => name === key,
  )![0];
  const entry =
    entryOf(entryOf(root, stanza)?.value, key) ?? entryOf(root, flat);
  return entry?.value.kind === "scalar" && !isNothing(entry.value)
    ? entry.value.text
    : undefined;
}

/** Moves the flat keys of 1.1 into their stanzas. */
export function moveFlatKeys(rewriting: Rewriting): void {
  for (const group of GROUPS) moveGroup(rewriting, group);
}

function moveGroup(rewriting: Rewriting, { stanza, keys }: Group): void {
  const { root, layout } = rewriting;
  const home = entryOf(root, stanza);
  const lines: string[] = [];
  const gone: Entry[] = [];
  for (const [flat, key] of keys) {
    const entry = entryOf(root, flat);
    if (entry === undefined) {
      if (key === "region") lines.push(...regionLine(rewriting, stanza));
      continue;
    }
    if (!layout.isOneLine(entry) || !layout.beginsLine(entry))
      rewriting.refuse(
        `line ${layout.lineOf(entry.keyRange.start)}: ${flat} takes several lines`,
      );
    gone.push(entry);
    const why = surplus(rewriting, stanza, key, entry);
    if (why === undefined) {
      lines.push(`${key}:${layout.restOfLine(entry)}`);
      rewriting.noteChange(
        entry.keyRange.start,
        flat,
        "moved",
        `${flat} became ${stanza}.${key}`,
      );
    } else rewriting.noteChange(entry.keyRange.start, flat, "removed", why);
  }
  place(rewriting, stanza, home, gone, lines);
}

/** Why a flat key is not needed. */
function surplus(
  rewriting: Rewriting,
  stanza: string,
  key: string,
  entry: Entry,
): string | undefined {
  const { root } = rewriting;
  const isThere = entryOf(entryOf(root, stanza)?.value, key) !== undefined;
  if (isThere) return `${stanza}.${key} says the same`;
  const isOwn =
    key === "gcpProjectIDRuntime" &&
    entry.value.kind === "scalar" &&
    entry.value.text === movedValue(rewriting, "gcp", "projectID");
  return isOwn ? "the project is gcp.projectID anyway" : undefined;
}

function regionLine(rewriting: Rewriting, stanza: string): string[] {
  if (movedValue(rewriting, stanza, "region") !== undefined) return [];
  const { region } = rewriting.options;
  if (region === undefined) {
    if (stanza === "gcp")
      rewriting.warn(
        "gcp.region is missing, and us-central1 would be used; --region sets it",
      );
    return [];
  }
  rewriting.noteChange(
    0,
    `${stanza}.region`,
    "added",
    `${stanza}.region: ${region}`,
  );
  return [`region: ${scalarText(region)}`];
}

function place(
  rewriting: Rewriting,
  stanza: string,
  home: Entry | undefined,
  gone: readonly Entry[],
  lines: readonly string[],
): void {
  const { root, layout } = rewriting;
  if (home === undefined) return create(rewriting, stanza, gone, lines);
  rewriting.removeEntries(root, gone);
  if (lines.length === 0) return;
  if (home.value.kind !== "map" || home.aliasAt !== undefined)
    return rewriting.refuse(
      `line ${layout.lineOf(home.keyRange.start)}: ${stanza} is no block to put keys into`,
    );
  const last = home.value.entries.filter((e) => e.isMerged !== true).at(-1);
  if (home.value.isFlow || last === undefined)
    return rewriting.refuse(
      `line ${layout.lineOf(home.keyRange.start)}: write ${stanza} as a block of lines first`,
    );
  const indent = " ".repeat(layout.columnOf(last.keyRange.start));
  rewriting.insertLines(
    layout.lineAfter(last),
    lines.map((line) => `${indent}${line}`),
  );
}

/** The stanza takes the place of the first flat key. */
function create(
  rewriting: Rewriting,
  stanza: string,
  gone: readonly Entry[],
  lines: readonly string[],
): void {
  const { root, layout, edits } = rewriting;
  const first = [...gone].sort(
    (a, b) => a.keyRange.start - b.keyRange.start,
  )[0];
  if (first === undefined) return;
  const others = gone.filter((entry) => entry !== first);
  rewriting.removeEntries(root, others);
  const { start } = first.keyRange;
  const line = layout.lineOf(start);
  const end =
    start + layout.lines.lineText(line).length - layout.columnOf(start);
  const indent = " ".repeat(layout.columnOf(start)) + layout.step;
  const body = lines.map((text) => `${layout.lineEnd}${indent}${text}`);
  edits.replace({ start, end }, `${stanza}:${body.join("")}`);
}
