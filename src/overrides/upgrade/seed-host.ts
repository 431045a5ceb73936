import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { readYaml } from "../document/read-yaml.js";
import { decode, encode, LineIndex } from "../document/source-text.js";
import { entryOf, type Entry, type MapNode } from "../document/tree.js";
import { replaceFile } from "../../platform/replace-file.js";
import { resolveTargetFile } from "../target-file.js";
import { Edits, FileLayout } from "../rewrite/edits.js";

const KEY = "externalSeedHost";

/**
 * Sets cassandra.externalSeedHost in a file and leaves the rest unchanged.
 * Throws an error with the reason if this fails, for example if the path is a
 * symbolic link to another folder.
 */
export function setSeedHost(file: string, cwd: string, address: string): void {
  if (isIP(address) === 0)
    throw new Error("the old database has no IP address");
  editFile(file, cwd, (root, layout, edits) => {
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
    insertSeedHost(root, owner, layout, edits, address);
  });
}

/**
 * Removes cassandra.externalSeedHost from a file. Throws the same errors as
 * `setSeedHost`.
 */
export function removeSeedHost(file: string, cwd: string): void {
  editFile(file, cwd, (root, layout, edits) => {
    const owner = entryOf(root, "cassandra");
    const present = entryOf(owner?.value, KEY);
    if (owner === undefined || present === undefined) return;
    if (owner.value.kind === "map" && owner.value.isFlow)
      throw new Error(
        "cassandra is in flow style; remove externalSeedHost manually",
      );
    const isOnly =
      owner.value.kind === "map" && owner.value.entries.length === 1;
    edits.remove(layout.linesOf(isOnly ? owner : present));
  });
}

/**
 * Tests whether a file contains cassandra.externalSeedHost. Throws an error
 * with the reason if the file can't be read.
 */
export function hasSeedHost(file: string): boolean {
  const { root } = readOverrides(file);
  return entryOf(entryOf(root, "cassandra")?.value, KEY) !== undefined;
}

function insertSeedHost(
  root: MapNode,
  owner: Entry | undefined,
  layout: FileLayout,
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
      `cassandra must be a map in block style; add ${KEY}: ${address} manually`,
    );
  const indent = " ".repeat(layout.columnOf(first.keyRange.start));
  const at = layout.startOf(layout.lineOf(first.keyRange.start));
  edits.insert(at, `${indent}${KEY}: ${address}${lineEnd}`);
}

function editFile(
  path: string,
  cwd: string,
  edit: (root: MapNode, layout: FileLayout, edits: Edits) => void,
): void {
  const { file } = resolveTargetFile(path, cwd);
  const { text, hasBom, root } = readOverrides(file);
  const edits = new Edits(text);
  edit(root, new FileLayout(new LineIndex(text), root), edits);
  if (!edits.isEmpty) replaceFile(file, encode(edits.apply(), hasBom));
}

function readOverrides(file: string): {
  text: string;
  hasBom: boolean;
  root: MapNode;
} {
  const { text, hasBom } = decode(readFileSync(file));
  const { root } = readYaml(text);
  if (root === undefined) throw new Error(`${file} must be an overrides file`);
  return { text, hasBom, root };
}
