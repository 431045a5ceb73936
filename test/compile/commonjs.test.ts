import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generateEverything } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { typecheck } from "./typescript.js";

/** Files of a project that is compiled to CommonJS. */
const FLAGS = {
  module: "CommonJS",
  moduleResolution: "Node10",
  verbatimModuleSyntax: false,
};

test("all generated code, its tests included, compiles to CommonJS", async () => {
  const folder = temporaryFolder();
  const document = path.join(ROOT, "test/compile/tasks.v1.json");
  const { files } = generateEverything(
    JSON.parse(readFileSync(document, "utf8")),
  );
  expect([...files.keys()]).toContain("tasks/v1/conformance.test.ts");
  for (const [name, text] of files) {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const runtime = path.join(ROOT, "src/runtime");
  cpSync(runtime, path.join(folder, "runtime"), { recursive: true });
  expect(
    await typecheck(folder, "5.9", "@types/node", ["**/*.ts"], FLAGS),
  ).toBe("");
});
