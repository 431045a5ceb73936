import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { diffDocuments } from "../../src/diff/diff-documents.js";
import {
  mostSevere,
  type DetailedChange,
  type DiffResult,
} from "../../src/diff/severity.js";
import { loadBytes } from "../../src/load/load.js";
import type { RawDocument } from "../../src/load/raw.js";
import { resolvePointer } from "../../src/diagnostics/types.js";
import { SHARED, corpusNames } from "../support/paths.js";
import {
  additiveClasses,
  breakingClasses,
  Random,
  type Json,
} from "./diff-edits.js";
import { CORPUS, describeCorpus } from "./support.js";

const REVISIONS = path.join(SHARED, "revisions");
const SEED = 20260114;
const EDITS = 500;

function load(file: string): RawDocument {
  const { document } = loadBytes(readFileSync(file), file);
  if (document === undefined) throw new Error(`${file} can't be loaded`);
  return document;
}

function reload(document: Json): RawDocument {
  const loaded = loadBytes(Buffer.from(JSON.stringify(document)), "edited");
  if (loaded.document === undefined)
    throw new Error(JSON.stringify(loaded.sink.diagnostics));
  return loaded.document;
}

/** Reverses the keys of all objects, and lists whose order has no meaning. */
function shuffle(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffle);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(
    entries.map(([key, item]) => [
      key,
      key === "scopes" && Array.isArray(item)
        ? [...item].reverse()
        : shuffle(item),
    ]),
  );
}

function isBreaking({ changes }: DiffResult<DetailedChange>): boolean {
  return changes.some((change) => mostSevere(change) === "breaking");
}

/** Rules about names of generated types, which depend on all schemas. */
const NAME_RULES = /^(type-name-changed|input-type-removed)$/;

/**
 * Expects no change on a schema that is equal in both documents, and no moved or
 * renamed method with another HTTP method, URL or response.
 */
function expectTruePairs(
  old: RawDocument,
  now: RawDocument,
  changes: readonly DetailedChange[],
): void {
  const schemaOf = (document: RawDocument, id: string): string =>
    JSON.stringify((document.schemas as Json | undefined)?.[id] ?? null);
  for (const { schema, rule, message, ...change } of changes) {
    const id = schema?.split(".")[0] ?? "";
    if (schema !== undefined && !NAME_RULES.test(rule))
      expect(
        schemaOf(old, id) === "null" || schemaOf(old, id) !== schemaOf(now, id),
        message,
      ).toBe(true);
    if (!/^method-(moved|renamed)$/.test(rule)) continue;
    if (change.oldMethod === undefined) continue;
    const before = resolvePointer(old, change.oldPointer!) as Json;
    const after = resolvePointer(now, change.newPointer!) as Json;
    const shapeOf = (
      { servicePath }: RawDocument,
      { path: template, flatPath = template }: Json,
    ): string =>
      `${servicePath}${String(flatPath).replace(/\{[^{}]*\}/g, "{}")}`;
    expect(after["httpMethod"], message).toBe(before["httpMethod"]);
    expect(shapeOf(now, after), message).toBe(shapeOf(old, before));
    expect(after["response"], message).toEqual(before["response"]);
  }
}

/** References to schemas of a document, with their owners. */
function referencesIn(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const nested = Object.values(value).flatMap(referencesIn);
  return typeof (value as Json)["$ref"] === "string"
    ? [value as Json, ...nested]
    : nested;
}

describeCorpus("diff", () => {
  test("150 references to another existing schema", () => {
    const random = new Random(SEED + 2);
    const names = corpusNames();
    for (let done = 0; done < 150;) {
      const name = random.pick(names)!;
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      if (text.length > 600_000) continue;
      const edited = JSON.parse(text) as Json;
      const ids = Object.keys((edited["schemas"] ?? {}) as Json);
      const reference = random.pick(
        referencesIn({ a: edited["schemas"], b: edited["resources"] }),
      );
      const id = random.pick(ids);
      if (reference === undefined || reference["$ref"] === id) continue;
      reference["$ref"] = id;
      const [old, now] = [reload(JSON.parse(text) as Json), reload(edited)];
      const { changes } = diffDocuments(old, now);
      expect(changes.length, `${name}: ${id}`).toBeGreaterThan(0);
      expectTruePairs(old, now, changes);
      done++;
    }
  });

  test("neighbouring revisions", () => {
    let count = 0;
    for (const name of readdirSync(REVISIONS)) {
      const files = readdirSync(path.join(REVISIONS, name)).sort();
      const documents = files.map((file) =>
        load(path.join(REVISIONS, name, file)),
      );
      for (const [index, now] of documents.slice(1).entries()) {
        const old = documents[index]!;
        const { changes } = diffDocuments(old, now);
        for (const { side, pointer, message } of changes)
          expect(
            resolvePointer(side === "old" ? old : now, pointer),
            message,
          ).toBeDefined();
        expectTruePairs(old, now, changes);
        const fingerprints = new Set(
          changes.map(({ fingerprint }) => fingerprint),
        );
        expect(fingerprints.size).toBe(changes.length);
        count++;
      }
    }
    expect(count).toBeGreaterThan(30);
  });

  test("a change has the same fingerprint in each pair of revisions", () => {
    const folder = path.join(REVISIONS, "youtube.v3");
    const [a, b, c] = readdirSync(folder)
      .sort()
      .map((file) => load(path.join(folder, file)));
    const direct = diffDocuments(a!, c!).changes;
    const first = diffDocuments(a!, b!).changes;
    const ofMethods = ({ rule }: DetailedChange): boolean =>
      rule === "method-removed";
    const known = new Set(direct.map(({ fingerprint }) => fingerprint));
    const removed = first.filter(ofMethods);
    expect(removed.length).toBeGreaterThan(0);
    for (const { fingerprint } of removed) expect(known).toContain(fingerprint);
  });

  test("a document has no changes from itself, or with keys and lists in another order", () => {
    const names = corpusNames();
    expect(names.length).toBe(205);
    for (const name of names) {
      const file = path.join(CORPUS, `${name}.json`);
      const document = load(file);
      const json = JSON.parse(readFileSync(file, "utf8")) as Json;
      const shuffled = shuffle(json) as Json;
      expect(diffDocuments(document, load(file)).changes, name).toEqual([]);
      expect(diffDocuments(document, reload(shuffled)).changes, name).toEqual(
        [],
      );
      // Documents with the same canonical text are not compared by rules.
      const marked = reload({ ...json, "x-marker": true });
      expect(
        diffDocuments(document, marked).changes.map(({ message }) => message),
        name,
      ).toEqual([expect.stringMatching(/: x-marker changed$/)]);
    }
  });

  test("500 edits that break somebody are reported as breaking", () => {
    const random = new Random(SEED);
    const names = corpusNames().filter((name) => name !== "compute.v1");
    const counts: Record<string, number> = {};
    for (let done = 0; done < EDITS;) {
      const edits = breakingClasses[done % breakingClasses.length]!;
      const name = random.pick(names)!;
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      if (text.length > 600_000) continue;
      const edited = JSON.parse(text) as Json;
      const edit = edits.apply(edited, random);
      if (edit === undefined) continue;
      const result = diffDocuments(
        reload(JSON.parse(text) as Json),
        reload(edited),
      );
      const where = `${edits.name} of ${edit.symbol} in ${name}`;
      expect(isBreaking(result), where).toBe(true);
      expect(result.bump, where).toBe("major");
      counts[edits.name] = (counts[edits.name] ?? 0) + 1;
      done++;
    }
    console.info(JSON.stringify(counts));
  });

  test("edits that only add are reported, and do not break types", () => {
    const random = new Random(SEED + 1);
    const names = corpusNames();
    for (let done = 0; done < 200;) {
      const edits = additiveClasses[done % additiveClasses.length]!;
      const name = random.pick(names)!;
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      if (text.length > 600_000) continue;
      const edited = JSON.parse(text) as Json;
      const edit = edits.apply(edited, random);
      if (edit === undefined) continue;
      const { changes } = diffDocuments(
        reload(JSON.parse(text) as Json),
        reload(edited),
      );
      const where = `${edits.name} of ${edit.symbol} in ${name}`;
      expect(changes.length, where).toBeGreaterThan(0);
      const breaking = changes.filter(({ types }) => types === "breaking");
      expect(breaking, where).toEqual([]);
      done++;
    }
  });
});
