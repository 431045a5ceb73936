import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../src/generate/api.js";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";

/** Different names that result in the same folder. */
test.each([
  ["a/b", "a:b"],
  ["demo", "demo"],
  ["../x", "-/x"],
])("the APIs %j and %j never share a file", async (first, second) => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "specs"));
  for (const [index, name] of [first, second].entries())
    writeFileSync(
      path.join(folder, `specs/${index}.json`),
      JSON.stringify(description({ name, title: `API ${index}` })),
    );
  const { diagnostics, files } = await generate({
    spec: "specs",
    out: "out",
    cwd: folder,
  });
  expect(diagnostics.map(({ code }) => code)).toContain("api-duplicate");
  expect(files.filter(({ path: file }) => file.includes("service.ts"))).toEqual(
    [],
  );
  const [found] = diagnostics.filter(({ code }) => code === "api-duplicate");
  expect(found!.message).toMatch(/specs\/[01]\.json/);
});
