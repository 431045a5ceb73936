import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isObject } from "../../src/diagnostics/json.js";
import { Sink } from "../../src/diagnostics/sink.js";
import { loadBytes } from "../../src/load/load.js";
import type { RawDocument } from "../../src/load/raw.js";
import { parseAddress, resolveAddress } from "../../src/patch/address.js";
import { applyPatches } from "../../src/patch/apply-patches.js";
import { createPatch, printPatch } from "../../src/patch/create-patch.js";
import { valueAt } from "../../src/patch/edit-json.js";
import type { NewOperation, PatchFile } from "../../src/patch/patch-file.js";
import { corpusNames, SHARED } from "../support/paths.js";
import { parsed } from "../support/patches.js";
import { randomOf } from "../support/random-values.js";
import { CORPUS, describeCorpus } from "./support.js";

/** Largest document of the random edits, in bytes. */
const MAX_BYTES = 150_000;

const REVISIONS = path.join(SHARED, "revisions");

function load(file: string): RawDocument {
  const { document, sink } = loadBytes(readFileSync(file), file);
  expect(document, JSON.stringify(sink.diagnostics[0])).toBeDefined();
  return document!;
}

/** Reads operations as a patch file in YAML, as a user would. */
function read(
  { name, version }: RawDocument,
  operations: readonly NewOperation[],
): PatchFile {
  const text = printPatch({ api: `${name}:${version}`, operations }, "yaml");
  const { patch, findings } = parsed(text);
  expect(findings, text.slice(0, 2_000)).toEqual([]);
  return patch!;
}

/** Applies a patch; returns the document and the codes of its operations. */
function apply(document: RawDocument, patch: PatchFile) {
  const sink = new Sink();
  const { name, version } = document;
  const own = { ...patch, api: `${name}:${version}` };
  const result = applyPatches(document, [own], sink);
  const codes = new Map(sink.diagnostics.map(({ line, code }) => [line, code]));
  return {
    document: result.document,
    codes: patch.operations.map(({ line }) => codes.get(line) ?? "applies"),
  };
}

/** Expected state of an operation that sets a value, from the plain values. */
function expectedState(
  { kind, at, value, expect: old, expectDigest }: NewOperation,
  document: RawDocument,
): string | undefined {
  const target = resolveAddress(parseAddress(at), document);
  if (!("tokens" in target)) return "patch-stale";
  const isField = kind === "describe";
  const tokens = isField ? [...target.tokens, "description"] : target.tokens;
  const current = valueAt(document, tokens);
  const same = (a: unknown, b: unknown): boolean =>
    JSON.stringify(a) === JSON.stringify(b);
  if (kind === "replace" || kind === "describe") {
    if (expectDigest !== undefined) return undefined;
    const owner = valueAt(document, target.tokens);
    if (isField ? !isObject(owner) : current === undefined)
      return "patch-stale";
    if (same(current, value)) return "patch-upstream";
    return old === undefined || same(current, old) ? "applies" : "patch-stale";
  }
  return undefined;
}

const folders = existsSync(REVISIONS) ? readdirSync(REVISIONS).sort() : [];

describeCorpus("patches", () => {
  test.each(folders)("between the revisions of %s", (folder) => {
    const files = readdirSync(path.join(REVISIONS, folder)).sort();
    const documents = files.map((file) =>
      load(path.join(REVISIONS, folder, file)),
    );
    for (const [index, next] of documents.slice(1).entries()) {
      const old = documents[index]!;
      const operations = createPatch(old, next);
      const patch = read(old, operations);
      const { document, codes } = apply(old, patch);
      expect(new Set(codes)).toEqual(new Set(["applies"]));
      expect(document).toEqual(next);
      // The next revision has every change already.
      expect(new Set(apply(next, patch).codes)).toEqual(
        new Set(["patch-upstream"]),
      );
      const later = documents[index + 2];
      if (later === undefined) continue;
      // Operations do not depend on earlier ones without renames.
      const isPlain = operations.every(({ kind }) => kind !== "rename");
      const states = apply(later, patch).codes;
      const counts = new Map<string, number>();
      for (const [at, operation] of operations.entries()) {
        counts.set(states[at]!, (counts.get(states[at]!) ?? 0) + 1);
        const expected = isPlain ? expectedState(operation, later) : undefined;
        if (expected !== undefined)
          expect(states[at], JSON.stringify(operation)).toBe(expected);
      }
      console.info(folder, files[index], JSON.stringify([...counts]));
    }
  });

  test("for 500 random edits give the edited document", () => {
    const names = corpusNames().filter(
      (name) => statSync(path.join(CORPUS, `${name}.json`)).size < MAX_BYTES,
    );
    for (let seed = 1; seed <= 500; seed++) {
      const next = randomOf(seed);
      const name = names[Math.floor(next() * names.length)]!;
      const old = load(path.join(CORPUS, `${name}.json`));
      const edited = mutated(old, next);
      const operations = createPatch(old, edited);
      if (operations.length === 0) continue;
      const sink = new Sink();
      const patch = read(old, operations);
      const { document } = applyPatches(old, [patch], sink);
      expect(document, `${name}, seed ${seed}`).toEqual(edited);
      expect(sink.diagnostics).toEqual([]);
    }
  });
});

/** Returns a copy with one to five random edits that leave the document valid. */
function mutated(document: RawDocument, next: () => number): RawDocument {
  const copy = structuredClone(document);
  const pick = <T>(list: readonly T[]): T =>
    list[Math.floor(next() * list.length)]!;
  const count = 1 + Math.floor(next() * 5);
  for (let edit = 0; edit < count; edit++) {
    const nodes = nodesOf(copy);
    const { node, isNames } = pick(nodes);
    const keys = Object.keys(node);
    const key = pick(keys);
    if (isNames && key === undefined) continue;
    const choice = next();
    if (isNames && key !== undefined && choice < 0.3) {
      const entries = Object.entries(node);
      for (const name of keys) delete node[name];
      for (const [name, value] of entries)
        node[name === key ? `${name}Renamed` : name] = value;
    } else if (isNames && key !== undefined && choice < 0.6) delete node[key];
    else if (isNames && key !== undefined)
      node[`${key}${edit}`] = structuredClone(node[key]);
    else if (choice < 0.5)
      node["description"] =
        `Text ${edit}: ${"long text, ".repeat(10)}\n\n  end`;
    else node[choice < 0.7 ? "deprecated" : "x-note"] = true;
  }
  return copy;
}

const NAMES = ["schemas", "properties", "parameters", "methods", "resources"];

/** Lists objects with names, and schemas, methods, parameters and properties. */
function nodesOf(root: unknown) {
  const nodes: { node: Record<string, unknown>; isNames: boolean }[] = [];
  const visit = (value: unknown): void => {
    if (!isObject(value)) return;
    for (const key of NAMES) {
      const members = value[key];
      if (!isObject(members)) continue;
      nodes.push({ node: members, isNames: true });
      for (const member of Object.values(members)) {
        if (isObject(member) && key !== "resources")
          nodes.push({ node: member, isNames: false });
        visit(member);
      }
    }
  };
  visit(root);
  return nodes;
}
