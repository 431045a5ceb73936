import path from "node:path";
import { check } from "prettier";
import { beforeAll, expect, test } from "vitest";
import { MATRIX, typecheck } from "../compile/typescript.js";
import { corpusNames } from "../support/paths.js";
import type { GeneratedServer } from "../unit/server/generated.js";
import { corpusServer, writeServers } from "./servers.js";
import { describeCorpus, SAMPLE, suiteFolder } from "./support.js";

/** The servers of all documents: routes without conflicts, types, format. */
describeCorpus("server", () => {
  const folder = suiteFolder();
  const servers = new Map<string, GeneratedServer>();

  beforeAll(() => {
    for (const name of corpusNames()) servers.set(name, corpusServer(name));
    const some = SAMPLE.map((name) => servers.get(name)!);
    writeServers(path.join(folder, "all/out"), [...servers.values()]);
    writeServers(path.join(folder, "sample/out"), some);
  }, 120_000);

  test("no routes conflict, and every pattern is checked", () => {
    const found = [...servers].flatMap(([name, { diagnostics }]) =>
      diagnostics
        .filter(({ code }) => CODES.has(code))
        .map(({ code, message }) => `${name} ${code} ${message}`),
    );
    expect(found).toEqual([]);
  });

  test("requests that match two methods are reported with the chosen one", () => {
    const names = [...servers].flatMap(([name, { diagnostics }]) =>
      diagnostics.some(({ code }) => code === "route-overlap") ? [name] : [],
    );
    // Documents and collections differ only in the number of segments.
    expect(names).toEqual(["firestore.v1", "firestore.v1beta1"]);
  });

  test.each(MATRIX)("TypeScript %s, %s", async (compiler, platform) => {
    const where = path.join(folder, compiler === "7" ? "all" : "sample");
    expect(await typecheck(where, compiler, platform, ["out"])).toBe("");
  });

  test("the output has Prettier's format", async () => {
    const wrong: string[] = [];
    for (const { files } of servers.values())
      for (const [name, text] of files)
        if (/(?:routes|server)\.ts$/.test(name))
          if (!(await check(text, { parser: "typescript" }))) wrong.push(name);
    expect(wrong).toEqual([]);
  });
});

/** Diagnostics of ambiguous requests and unsupported patterns. */
const CODES: ReadonlySet<string> = new Set([
  "route-conflict",
  "pattern-unsupported",
  "internal",
]);
