import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { entriesOf } from "../../../src/write/folder-entries.js";
import { isLockFile } from "../../../src/write/lock-file.js";
import { readUnverified, sealValue } from "../../../src/platform/seal.js";

/** Id of a process that has ended. */
export const DEAD: number = spawnSync(process.execPath, ["--version"]).pid;

/** Replaces the owner of all locks, which is this process, by one that has ended. */
export function die(out: string): void {
  const staging = path.join(out, ".gen-staging");
  const names = entriesOf(staging).map(({ name }) => name);
  for (const name of names.filter(isLockFile)) {
    const file = path.join(staging, name);
    // A run that was killed before it wrote the lock leaves an empty file.
    const text = readFileSync(file, "utf8");
    if (text === "") continue;
    const known = readUnverified(text) as object;
    writeFileSync(file, sealValue("lock", out, { ...known, pid: DEAD }));
  }
}
