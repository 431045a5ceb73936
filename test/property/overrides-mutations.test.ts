import fc from "fast-check";
import { expect, test } from "vitest";
import { LineIndex } from "../../src/overrides/document/source-text.js";
import { readYaml } from "../../src/overrides/document/read-yaml.js";
import type {
  Entry,
  MapNode,
  Node,
} from "../../src/overrides/document/tree.js";
import { FileLayout } from "../../src/overrides/rewrite/edits.js";
import { rewriteFile } from "../../src/overrides/rewrite/index.js";
import {
  propertyIndex,
  type Property,
} from "../../src/overrides/schema/property-index.js";
import { isSupportedIn } from "../../src/runtime/rules/versions.js";
import { check } from "../support/overrides.js";
import { files12 } from "../support/overrides-files.js";
import { isFull, rounds } from "../support/full.js";

const RUNS = rounds(2000, 200);
const VERSION = "1.3.6";

interface Place {
  readonly entry: Entry;
  readonly owner: MapNode;
  readonly property: Property;
  /** Key of the enclosing block. */
  readonly above?: Entry;
}

interface File {
  readonly text: string;
  readonly layout: FileLayout;
  readonly places: readonly Place[];
}

interface Mutant {
  readonly text: string;
  /** Expected position of the finding. */
  readonly line: number;
}

type Mutate = (
  file: File,
  pick: (count: number) => number,
) => Mutant | undefined;

function open(text: string): File {
  const lines = new LineIndex(text);
  const { root } = readYaml(text);
  const places: Place[] = [];
  const visit = (node: Node, property: Property, above?: Entry): void => {
    if (node.kind === "list" && property.item !== undefined)
      for (const item of node.items) visit(item, property.item, above);
    if (node.kind !== "map") return;
    for (const entry of node.entries) {
      const member = property.members.get(entry.key);
      if (member === undefined) continue;
      places.push({
        entry,
        owner: node,
        property: member,
        ...(above === undefined ? {} : { above }),
      });
      visit(entry.value, member, entry);
    }
  };
  visit(root!, propertyIndex().root);
  return { text, layout: new FileLayout(lines, root!), places };
}

function replaced(
  text: string,
  start: number,
  end: number,
  by: string,
): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Adds, removes, replaces or swaps letters of a key. */
const typo: Mutate = ({ text, layout, places }, pick) => {
  const { entry, property } = places[pick(places.length)]!;
  const { start } = entry.keyRange;
  const { key } = entry;
  const at = pick(key.length);
  const wrong = [
    `${key.slice(0, at)}q${key.slice(at)}`,
    key.slice(0, at) + key.slice(at + 1),
    `${key.slice(0, at)}q${key.slice(at + 1)}`,
    key.slice(0, at) + (key[at + 1] ?? "") + key[at] + key.slice(at + 2),
  ][pick(4)]!;
  if (wrong === "" || property.parent!.members.has(wrong)) return undefined;
  return {
    text: replaced(text, start, start + key.length, wrong),
    line: layout.lineOf(start),
  };
};

/** Replaces a value by one of another type. */
const wrongType: Mutate = ({ text, layout, places }, pick) => {
  const { entry, property } = places[pick(places.length)]!;
  const { value, keyRange } = entry;
  const { type } = property.row;
  if (value.kind !== "scalar") {
    if (!layout.isOneLine(entry)) return undefined;
    const { start, end } = value.range;
    return {
      text: replaced(text, start, end, "word"),
      line: layout.lineOf(keyRange.start),
    };
  }
  const values =
    type === "integer"
      ? ["many", '"2"', "[2]", "1.5", "true"]
      : type === "boolean"
        ? ["maybe", '"true"', "1", "{ a: b }"]
        : ["[word]", "{ a: b }"];
  const { start, end } = value.range;
  return {
    text: replaced(text, start, end, values[pick(values.length)]!),
    line: layout.lineOf(keyRange.start),
  };
};

/** Moves a line to another block. */
const moved: Mutate = ({ text, layout, places }, pick) => {
  const { entry, property } = places[pick(places.length)]!;
  const target = places[pick(places.length)]!;
  const isLine =
    layout.isOneLine(entry) &&
    layout.beginsLine(entry) &&
    layout.beginsLine(target.entry) &&
    entry.value.kind === "scalar";
  const home = target.property.parent!;
  const isKnown = home.members.has(entry.key) || home.wildcard !== undefined;
  const isOwn = target.entry.keyRange.start === entry.keyRange.start;
  if (!isLine || isKnown || isOwn || property.parent === home) return undefined;
  const from = layout.lineOf(entry.keyRange.start);
  const to = layout.lineOf(target.entry.keyRange.start);
  const lines = text.split("\n");
  const indent = " ".repeat(layout.columnOf(target.entry.keyRange.start));
  const [line = ""] = lines.splice(from - 1, 1);
  const index = to > from ? to - 2 : to - 1;
  lines.splice(index, 0, indent + line.trimStart());
  return { text: lines.join("\n"), line: index + 1 };
};

/** Removes a required key; the finding is at the nearest key above it. */
const removed: Mutate = ({ text, layout, places }, pick) => {
  const required = places.filter(
    ({ property: { row }, entry }) =>
      isSupportedIn(VERSION, row) &&
      layout.beginsLine(entry) &&
      (row.required === "error" ||
        /^(mart|connectAgent|metrics|watcher)\.serviceAccountPath$/.test(
          row.path,
        )),
  );
  if (required.length === 0) return undefined;
  const { entry, above } = required[pick(required.length)]!;
  const { start, end } = layout.linesOf(entry);
  const lines = layout.lineOf(end) - layout.lineOf(start);
  const line = above === undefined ? 1 : layout.lineOf(above.keyRange.start);
  const isAbove = line > layout.lineOf(start);
  return {
    text: replaced(text, start, end, ""),
    line: isAbove ? line - lines : line,
  };
};

const KINDS = { typo, wrongType, moved, removed };

test("a mutation of a valid file is reported on its line", () => {
  const counts = Object.fromEntries(
    Object.keys(KINDS).map((kind) => [kind, { all: 0, hit: 0, single: 0 }]),
  );
  const missed: string[] = [];
  fc.assert(
    fc.property(
      files12,
      fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
      fc.infiniteStream(fc.nat(1 << 20)),
      ({ text: old }, kind, numbers) => {
        const { after } = rewriteFile("o.yaml", Buffer.from(old), {
          envgroups: new Map(),
        });
        const pick = (count: number): number =>
          (numbers.next().value as number) % count;
        const mutant = KINDS[kind](open(after), pick);
        if (mutant === undefined) return;
        const before = new Set(
          check(after).diagnostics.map(({ code, path }) => `${code} ${path}`),
        );
        const found = check(mutant.text).diagnostics.filter(
          ({ code, path }) => !before.has(`${code} ${path}`),
        );
        const count = counts[kind]!;
        count.all++;
        if (found.some(({ line }) => line === mutant.line)) count.hit++;
        else
          missed.push(
            `${kind} line ${mutant.line}: ${JSON.stringify(found)}\n${mutant.text}`,
          );
        const errors = found.filter(({ severity }) => severity === "error");
        if (errors.length <= 1) count.single++;
      },
    ),
    { numRuns: RUNS, ...(isFull ? {} : { seed: 5 }) },
  );
  console.info(
    Object.entries(counts)
      .map(
        ([kind, { all, hit, single }]) =>
          `${kind}: ${hit} of ${all} in their line, ${single} as one message`,
      )
      .join("\n"),
  );
  for (const { all, hit } of Object.values(counts)) {
    expect(all).toBeGreaterThan(RUNS / 50);
    expect(hit / all, missed.slice(0, 3).join("\n")).toBeGreaterThanOrEqual(
      0.99,
    );
  }
}, 300_000);
