import type { Entry, MapNode, Node } from "../document/tree.js";
import { pathText } from "../display-text.js";
import { generalPath, type FilePath } from "../key-path.js";
import { knowledge, type Property } from "../schema/property-index.js";
import { isGone, isWithin } from "../schema/versions.js";
import { explainRemoval } from "./explain-removal.js";
import type { Rewriting } from "./session.js";

/** Takes out every key that the new version does not know any more, save the flat ones. */
export function removeGone(rewriting: Rewriting): void {
  new Removal(rewriting).map(rewriting.root, knowledge().root, []);
}

class Removal {
  readonly #rewriting: Rewriting;
  readonly #version: string;
  /** What each key of the file turned out to be: aliases show one key at several places. */
  readonly #verdicts = new Map<number, { isGone: boolean; path: string }>();

  constructor(rewriting: Rewriting) {
    this.#rewriting = rewriting;
    const { table } = knowledge();
    this.#version = table.targets[table.defaultTarget]!;
  }

  map(node: MapNode, property: Property, path: FilePath): void {
    const gone: Entry[] = [];
    for (const entry of node.entries) {
      if (entry.isMerged === true) continue;
      const member = property.members.get(entry.key) ?? property.wild;
      if (member === undefined) continue;
      const own = [...path, entry.key];
      const isOut = this.#isOut(member);
      const isNew = this.#judge(entry, isOut, member, own);
      if (!isOut) this.#value(entry.value, member, own);
      else if (isNew) {
        gone.push(entry);
        explainRemoval(this.#rewriting, generalPath(own), entry, own);
      }
    }
    if (gone.length > 0) this.#rewriting.removeEntries(node, gone);
  }

  #value(node: Node, property: Property, path: FilePath): void {
    if (node.kind === "map") this.map(node, property, path);
    if (node.kind !== "list" || property.item === undefined) return;
    for (const [index, item] of node.items.entries())
      this.#value(item, property.item, [...path, index]);
  }

  /** Flat keys are moved, not removed. */
  #isOut({ row, parent }: Property): boolean {
    const isFlat = parent?.row.path === "" && row.deprecatedSince !== undefined;
    return !isFlat && isGone(row, this.#version);
  }

  /** Whether the key is met for the first time; places that disagree are refused. */
  #judge(
    entry: Entry,
    isOut: boolean,
    { row }: Property,
    own: FilePath,
  ): boolean {
    if (!isOut && !isWithin(this.#version, row)) return true;
    const { start } = entry.keyRange;
    const path = pathText(own);
    const known = this.#verdicts.get(start);
    if (known === undefined) {
      this.#verdicts.set(start, { isGone: isOut, path });
      return true;
    }
    const line = this.#rewriting.layout.lineOf(start);
    if (known.isGone !== isOut)
      this.#rewriting.refuse(
        `line ${line}: ${known.path} and ${path} are the same key through an alias, and only one of them has to go`,
      );
    else if (isOut)
      this.#rewriting.warn(
        `line ${line}: the key that went was ${known.path} and, through an alias, ${path}`,
      );
    return false;
  }
}
