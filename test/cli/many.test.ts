import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { generate } from "../../src/index.js";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";
import { gen } from "./support.js";

/** Returns the texts of all files below a folder by path. */
function tree(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );
}

it("many documents have the output of single runs", async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 40 }, (_, index) => `api${index}`);
  for (const name of names) {
    const properties = { [name]: { type: "string", description: name } };
    const schemas = { Thing: { id: "Thing", type: "object", properties } };
    writeFileSync(
      path.join(folder, `${name}.json`),
      JSON.stringify(description({ name, schemas })),
    );
  }
  writeFileSync(path.join(folder, "api20b.json"), "{");
  const together = path.join(folder, "together");
  const run = gen(["--spec", folder, "--out", together, "--verbose"]);
  expect(run.stderr).toContain("api20b.json:1:2: error json-syntax");
  expect(run.status).toBe(3);
  expect(run.stdout).toContain("40 of 41 documents");
  const alone = path.join(folder, "alone");
  for (const name of names)
    await generate({ spec: path.join(folder, `${name}.json`), out: alone });
  expect(tree(together)).toEqual(tree(alone));
  const again = gen(["--spec", folder, "--out", together, "--check"]);
  expect(again.stdout).toContain("40 of 41 documents");
  expect(again.stdout).not.toContain("update");
});

it("many invalid documents leave no folders, and keep those of the user", () => {
  const cwd = temporaryFolder();
  for (let index = 0; index < 40; index++)
    writeFileSync(path.join(cwd, `api${index}.json`), "{");
  mkdirSync(path.join(cwd, "mine"));
  const invalid = (out: string) =>
    expect(gen(["--spec", "*.json", "--out", out], { cwd }).status).toBe(3);
  invalid("new/out");
  invalid("mine/out");
  invalid("mine");
  expect(readdirSync(cwd)).not.toContain("new");
  expect(readdirSync(path.join(cwd, "mine"))).toEqual([]);
});
