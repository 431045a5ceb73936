import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { changedPaths, takeSnapshot } from "../../../src/watch/snapshot.js";
import { temporaryFolder } from "../../support/paths.js";

test("a link is followed again after it changed", () => {
  const cwd = temporaryFolder();
  const link = path.join(cwd, "specs/a.json");
  for (const name of ["one", "two", "specs"]) mkdirSync(path.join(cwd, name));
  for (const name of ["one", "two"])
    writeFileSync(path.join(cwd, name, "a.json"), "{}");
  const pointTo = (name: string): void => {
    rmSync(link, { force: true });
    symlinkSync(path.join(cwd, name, "a.json"), link);
  };
  pointTo("one");
  const inputs = { files: [link], folders: [] };
  const first = takeSnapshot(inputs);
  const same = takeSnapshot(inputs, first);
  expect(same).toEqual(first);
  expect([...first.folders]).toContain(path.join(cwd, "one"));
  pointTo("two");
  const next = takeSnapshot(inputs, same);
  expect(changedPaths(same, next)).toEqual([link]);
  expect([...next.folders].sort()).toEqual([
    path.join(cwd, "specs"),
    path.join(cwd, "two"),
  ]);
  rmSync(path.join(cwd, "two/a.json"));
  const gone = takeSnapshot(inputs, next);
  expect(changedPaths(next, gone)).toEqual([link]);
  expect([...gone.folders]).toEqual([path.join(cwd, "specs")]);
});
