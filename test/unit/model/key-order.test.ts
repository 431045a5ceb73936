import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  canonicalDocument,
  documentDigest,
} from "../../../src/load/canonical.js";
import { serialise } from "../../support/every-target.js";
import { description, generateClient } from "../../support/generate.js";
import { ROOT } from "../../support/paths.js";
import { rounds } from "../../support/full.js";
import { shuffled } from "../../support/shuffled.js";

/** Seeds of shuffled keys: all in the project `long`, else one. */
const SEEDS = [1, 2, 3].slice(0, rounds(3, 1));

/** Hand-written descriptions and those of test/cases, by path. */
function fixtures(): string[] {
  const specs = readdirSync(path.join(ROOT, "specs"))
    .filter((name) => name.endsWith(".v1.json"))
    .map((name) => `specs/${name}`);
  const cases = readdirSync(path.join(ROOT, "test/cases")).map(
    (name) => `test/cases/${name}/document.json`,
  );
  return [...specs, ...cases].filter((file) =>
    existsSync(path.join(ROOT, file)),
  );
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));
}

describe.each(fixtures())("%s", (file) => {
  test("has the same output and digest for any order of keys", () => {
    const document = read(file);
    const output = serialise(document);
    const digest = documentDigest(document);
    for (const seed of SEEDS) {
      const other = shuffled(document, seed);
      expect(serialise(other)).toEqual(output);
      expect(documentDigest(other)).toBe(digest);
    }
  });
});

test("parameters are in the order of parameterOrder, then by name", () => {
  const text = { type: "string", location: "query" };
  const { api } = generateClient(
    description({
      methods: {
        get: {
          path: "{z}/{m}",
          httpMethod: "GET",
          parameterOrder: ["z", "m"],
          parameters: {
            b: text,
            m: { ...text, location: "path" },
            a: text,
            z: { ...text, location: "path" },
          },
        },
      },
    }),
  );
  const names = api.root.methods[0]!.parameters.map(({ name }) => name);
  expect(names).toEqual(["z", "m", "a", "b"]);
});

describe("the digest of a document", () => {
  const document = description({ schemas: { A: { id: "A" } } });

  test("ignores etag and revision", () => {
    const other = { revision: "20240101", ...document, etag: '"x"' };
    expect(documentDigest(other)).toBe(documentDigest(document));
  });

  test("includes a property named revision, and the order of lists", () => {
    const change = (schema: object): string =>
      documentDigest({ ...document, schemas: { A: schema } });
    const digests = [
      change({ enum: ["a", "b"] }),
      change({ enum: ["b", "a"] }),
      change({ revision: "1" }),
      change({ revision: "2" }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  test("is the same for texts with the same value", () => {
    const text = `{"b":[{"z":1,"__proto__":{"y":2,"x":[]}},[]],"10":null,"9":{},"a":"\\u2028"}`;
    const canonical = canonicalDocument(JSON.parse(text));
    expect(canonical).toBe(
      `{"10":null,"9":{},"a":"\u2028","b":[{"__proto__":{"x":[],"y":2},"z":1},[]]}`,
    );
    expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
  });

  test("is computed for any depth and size", () => {
    const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
    expect(canonicalDocument(JSON.parse(deep))).toBe(deep);
    const wide = Object.fromEntries(
      Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at]),
    );
    expect(documentDigest(wide)).toMatch(/^[0-9a-f]{64}$/);
  });
});
