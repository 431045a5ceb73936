import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { readYaml } from "../document/read.js";
import { decode, encode } from "../document/text.js";
import { Lines } from "../document/lines.js";
import { entryOf, type Entry, type MapNode } from "../document/tree.js";
import { replaceFile } from "../../platform/replace-file.js";
import { targetOf } from "../target-file.js";
import { Edits } from "../rewrite/edits.js";
import { Layout } from "../rewrite/layout.js";

const KEY = "externalSeedHost";

/**
 * Sets cassandra.externalSeedHost in a file. Throws with a reason, also for a
 * link that leaves the working folder.
 */
export function setSeed(file: string, cwd: string, address: string): void {
  if (isIP(address) === 0) throw new Error("the old database has no address");
  change(file, cwd, (root, layout, edits) => {
    const owner = entryOf(root, "cassandra");
    const present = entryOf(owner?.value, KEY);
    if (present !== undefined) {
      const { start, end } = present.value.range;
      return edits.replace(
        start < end
          ? { start, end }
          : { start: present.keyRange.end + 1, end: present.keyRange.end + 1 },
        start < end ? address : ` ${address}`,
      );
    }
    insert(root, owner, layout, edits, address);
  });
}

/** Removes cassandra.externalSeedHost from a file. Throws like `setSeed`. */
export function dropSeed(file: string, cwd: string): void {
  change(file, cwd, (root, layout, edits) => {
    const owner = entryOf(root, "cassandra");
    const present = entryOf(owner?.value, KEY);
    if (owner === undefined || present === undefined) return;
    if (owner.value.kind === "map" && owner.value.isFlow)
      throw new Error(
        "cassandra is written in braces; remove externalSeedHost by hand",
      );
    const isOnly =
      owner.value.kind === "map" && owner.value.entries.length === 1;
    edits.remove(layout.linesOf(isOnly ? owner : present));
  });
}

/** Whether a file has the key. Throws with a reason. */
export function hasSeed(file: string): boolean {
  const { root } = read(file);
  return entryOf(entryOf(root, "cassandra")?.value, KEY) !== undefined;
}

function insert(
  root: MapNode,
  owner: Entry | undefined,
  layout: Layout,
  edits: Edits,
  address: string,
): void {
  const { lineEnd, step } = layout;
  if (owner === undefined) {
    const last = root.entries.at(-1)!;
    const end = layout.linesOf(last).end;
    const start = layout.lines.text.slice(0, end).endsWith("\n") ? "" : lineEnd;
    edits.insert(
      end,
      `${start}cassandra:${lineEnd}${step}${KEY}: ${address}${lineEnd}`,
    );
    return;
  }
  const first = owner.value.kind === "map" ? owner.value.entries[0] : undefined;
  if (owner.value.kind !== "map" || owner.value.isFlow || first === undefined)
    throw new Error(
      `cassandra must be a block of lines; add ${KEY}: ${address} by hand`,
    );
  const indent = " ".repeat(layout.columnOf(first.keyRange.start));
  const at = layout.startOf(layout.lineOf(first.keyRange.start));
  edits.insert(at, `${indent}${KEY}: ${address}${lineEnd}`);
}

function change(
  given: string,
  cwd: string,
  edit: (root: MapNode, layout: Layout, edits: Edits) => void,
): void {
  const { file } = targetOf(given, cwd);
  const { text, hasMark, root } = read(file);
  const edits = new Edits(text);
  edit(root, new Layout(new Lines(text), root), edits);
  if (!edits.isEmpty) replaceFile(file, encode(edits.apply(), hasMark));
}

function read(file: string): { text: string; hasMark: boolean; root: MapNode } {
  const { text, hasMark } = decode(readFileSync(file));
  const { root } = readYaml(text);
  if (root === undefined) throw new Error(`${file} must be an overrides file`);
  return { text, hasMark, root };
}
