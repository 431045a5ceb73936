import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../../support/paths.js";

/** Returns what the lint prints for a source folder of the given files. */
function lint(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const script = path.join(ROOT, "scripts/lint-imports.mjs");
  const { stderr, status } = spawnSync(process.execPath, [script, folder], {
    encoding: "utf8",
  });
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr;
}

test("imports of lower layers are accepted", () => {
  const files = {
    "load/a.ts": 'import { b } from "../diagnostics/b.js";\n',
    "diagnostics/b.ts": "export const b = 1;\n",
  };
  expect(lint(files)).toBe("");
});

test("an import of a higher layer is reported with file and line", () => {
  const files = {
    "load/a.ts":
      'import path from "node:path";\nimport {\n  b,\n} from "../model/b.js";\n',
    "model/b.ts": "export const b = 1;\n",
  };
  expect(lint(files)).toBe(
    "src/load/a.ts:4: load must not import model (src/model/b.ts)\n",
  );
});

test("an import between entries of one layer is reported", () => {
  const files = {
    "platform/a.ts": 'export const a = await import("../diagnostics/b.js");\n',
    "diagnostics/b.ts": "export const b = 1;\n",
  };
  expect(lint(files)).toContain("platform must not import diagnostics");
});

test("an entry with restricted imports may not use other lower layers", () => {
  const files = {
    "overrides/a.ts": 'import { b } from "../load/b.js";\n',
    "load/b.ts": "export const b = 1;\n",
  };
  expect(lint(files)).toContain("overrides must not import load");
});

test("a file outside of all layers is reported", () => {
  expect(lint({ "elsewhere/a.ts": "export {};\n" })).toContain(
    "src/elsewhere/a.ts:1: no row of LAYERS has this file",
  );
});

test.each([
  ["values", 'import { b } from "./b.js";\n', 'import { a } from "./a.js";\n'],
  [
    "types",
    'import type { B } from "./b.js";\n',
    'import type { A } from "./a.js";\n',
  ],
  [
    "exports",
    'export * from "./b.js";\n',
    'export type { A } from "./a.js";\n',
  ],
])("a cycle of %s is reported", (_, a, b) => {
  expect(lint({ "load/a.ts": a, "load/b.ts": b })).toBe(
    "src/load/a.ts:1: cycle of imports: load/a.ts -> load/b.ts -> load/a.ts\n",
  );
});
