import { expect, test } from "vitest";
import { diffDocuments } from "../../../src/diff/diff-documents.js";
import { resolvePointer } from "../../../src/diagnostics/types.js";
import { loadBytes } from "../../../src/load/load.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { shelfDocument, type Json } from "./document.js";

const ROUNDS = 160;

/** Values that replace a node; keys include those of prototypes. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  "",
  "int64",
  [],
  {},
  { $ref: "Book" },
  { $ref: "Missing" },
  { type: "array" },
  { type: "array", items: { type: "array", items: { $ref: "BookList" } } },
  { type: "object", additionalProperties: { $ref: "BookList" } },
  { type: "string", enum: ["__proto__", "constructor"] },
  JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"any"}}'),
  { type: "any" },
  { type: "object", variant: { map: [{ $ref: "Book" }] } },
];

function nodesOf(value: unknown): { owner: Json; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    { owner: value as Json, key },
    ...nodesOf(item),
  ]);
}

function load(document: Json): RawDocument | undefined {
  return loadBytes(Buffer.from(JSON.stringify(document)), "test").document;
}

test("any document that can be loaded can be compared, in both directions", () => {
  let state = 7;
  const below = (limit: number): number =>
    (state = (state * 48271) % 2147483647) % limit;
  const old = load(shelfDocument())!;
  let compared = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const edited = shelfDocument();
    const nodes = nodesOf(edited);
    const { owner, key } = nodes[below(nodes.length)]!;
    owner[key] = VALUES[below(VALUES.length)];
    const now = load(edited);
    if (now === undefined) continue;
    compared++;
    for (const [a, b] of [
      [old, now],
      [now, old],
    ] as const)
      for (const { side, pointer } of diffDocuments(a, b).changes)
        expect(resolvePointer(side === "old" ? a : b, pointer)).toBeDefined();
    expect(diffDocuments(now, load(edited)!).changes).toEqual([]);
  }
  expect(compared).toBeGreaterThan(30);
});
