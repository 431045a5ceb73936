import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  removeSeedHost,
  setSeedHost,
} from "../../src/overrides/upgrade/seed-host.js";
import { temporaryFolder } from "../support/paths.js";

const SEEDED = "cassandra:\n  externalSeedHost: 10.0.0.1\n";

/** Returns a working directory whose overrides file is a link to a file outside. */
function linkedOverrides(): { readonly cwd: string; readonly outside: string } {
  const root = temporaryFolder();
  const cwd = path.join(root, "repository");
  const outside = path.join(root, "outside.yaml");
  mkdirSync(cwd);
  writeFileSync(outside, SEEDED);
  symlinkSync("../outside.yaml", path.join(cwd, "overrides.yaml"));
  return { cwd, outside };
}

test("setting the seed host does not write through a link that leaves the working directory", () => {
  const { cwd, outside } = linkedOverrides();
  expect(() => setSeedHost("overrides.yaml", cwd, "10.4.0.9")).toThrow(
    "is a symbolic link",
  );
  expect(readFileSync(outside, "utf8")).toBe(SEEDED);
});

test("removing the seed host does not write through a link that leaves the working directory", () => {
  const { cwd, outside } = linkedOverrides();
  expect(() => removeSeedHost("overrides.yaml", cwd)).toThrow(
    "is a symbolic link",
  );
  expect(readFileSync(outside, "utf8")).toBe(SEEDED);
});

test("a link within the working directory is followed", () => {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, "real.yaml"), SEEDED);
  symlinkSync("real.yaml", path.join(cwd, "overrides.yaml"));
  setSeedHost("overrides.yaml", cwd, "10.4.0.9");
  expect(readFileSync(path.join(cwd, "real.yaml"), "utf8")).toContain(
    "externalSeedHost: 10.4.0.9",
  );
});
