import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readUnverified, sealValue } from "../../../src/platform/seal.js";

/** Id of a process that has ended. */
export const DEAD: number = spawnSync(process.execPath, ["--version"]).pid;

/** Replaces the owner of the lock, which is this process, by one that has ended. */
export function die(out: string): void {
  const owner = path.join(out, ".gen-staging/owner");
  // A run that was killed before it wrote the lock leaves an empty file.
  if (!existsSync(owner) || readFileSync(owner).length === 0) return;
  const known = readUnverified(readFileSync(owner, "utf8")) as object;
  writeFileSync(owner, sealValue("lock", out, { ...known, pid: DEAD }));
}
