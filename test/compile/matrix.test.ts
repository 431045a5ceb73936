import path from "node:path";
import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { ROOT } from "../support/paths.js";
import { gen } from "../cli/support.js";
import { typecheck } from "./typescript.js";

/** Documents that together use all features of the format. */
const DOCUMENTS = [
  "directions",
  "documentation",
  "extensions",
  "inline-bodies",
  "operations",
  "paging",
  "parameter-types",
  "schema-shapes",
  "uploads",
  "variants",
];

/** The documents, each under a unique name. */
function writeDocuments(folder: string): string[] {
  return DOCUMENTS.map((name) => {
    const file = path.join(ROOT, "test/cases", name, "document.json");
    const document = JSON.parse(readFileSync(file, "utf8")) as object;
    const copy = path.join(folder, `${name}.json`);
    const own = { ...document, id: `${name}:v1`, name, version: "v1" };
    writeFileSync(copy, JSON.stringify(own));
    return copy;
  });
}

const ALL = "client,server,validator,conformance";

/** `server` implies `validator`. */
const TARGETS = ["client", "server", ALL];

/**
 * Compiles the output of every set of targets with and without trusted prose,
 * in one run of the compiler.
 */
describe("options and targets", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-matrix-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    const files = writeDocuments(folder);
    for (const target of TARGETS)
      for (const prose of [[], ["--trust-prose"]]) {
        const out = `${target.replaceAll(",", "-")}${prose.join("")}`;
        const specs = files.flatMap((file) => ["--spec", file]);
        const { status, stderr } = gen([
          "--quiet",
          "--target",
          target,
          "--out",
          path.join(folder, out),
          ...prose,
          ...specs,
        ]);
        expect(status, stderr).toBe(0);
      }
  }, 60_000);

  test("compile", async () => {
    expect(await typecheck(folder, "7", "@types/node", ["."])).toBe("");
  }, 60_000);

  test("compile without `strict`", async () => {
    const flags = { ...LOOSE, isolatedDeclarations: false };
    const all = [`${ALL.replaceAll(",", "-")}--trust-prose`];
    expect(await typecheck(folder, "7", "@types/node", all, flags)).toBe("");
  }, 60_000);

  test("compile with the target of new Next.js projects", async () => {
    const flags = { target: "ES2017", isolatedModules: true };
    const all = [`${ALL.replaceAll(",", "-")}--trust-prose`];
    expect(await typecheck(folder, "7", "@types/node", all, flags)).toBe("");
  }, 60_000);
});

/** Compiler options of projects without strict checks. */
const LOOSE = {
  strict: false,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: false,
  noPropertyAccessFromIndexSignature: false,
};
