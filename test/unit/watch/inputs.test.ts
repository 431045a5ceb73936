import path from "node:path";
import { expect, test } from "vitest";
import { watchedInputs } from "../../../src/generate/watched-inputs.js";
import { sameSettings } from "../../../src/generate/settings.js";
import { temporaryFolder } from "../../support/paths.js";
import { write } from "../../cli/support.js";

test("inputs of a run are documents, patches, templates and the folders in which documents can appear", async () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "specs/a.json": {},
    "specs/more/b.json": {},
    "specs/more/notes.txt": "",
    "specs/out/c.json": {},
    "specs/node_modules/d/e.json": {},
    "specs/.hidden/f.json": {},
    "one.json": {},
    "templates/client/index.hbs": "",
  });
  const specs = ["specs/**/*.json", "one.json", "missing.json", "specs/more"];
  const { files, folders } = await watchedInputs(
    {
      specs: sameSettings(specs, { target: ["client"], trustProse: false }),
      cwd,
      out: "specs/out",
      templates: "templates",
    },
    ["patches/a.yaml"],
  );
  const relative = (names: readonly string[]): string[] =>
    [...new Set(names.map((name) => path.relative(cwd, name)))].sort();
  expect(relative(files)).toEqual([
    "one.json",
    "patches/a.yaml",
    "specs/a.json",
    "specs/more/b.json",
    "specs/node_modules/d/e.json",
    "specs/out/c.json",
    "templates/client/index.hbs",
  ]);
  expect(relative(folders)).toEqual([
    "missing.json",
    "specs",
    "specs/more",
    "templates",
    "templates/client",
  ]);
});
