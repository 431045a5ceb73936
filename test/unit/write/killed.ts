import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { LOCK } from "../../../src/write/output-session.js";

/** Id of a process that has ended. */
export const DEAD: number = spawnSync(process.execPath, ["--version"]).pid;

/** Replaces the holder of the lock, which is this process, by one that has ended. */
export function die(out: string): void {
  const lock = path.join(out, LOCK);
  if (!existsSync(lock)) return;
  for (const name of readdirSync(lock)) {
    const file = path.join(lock, name);
    const holder = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...holder, pid: DEAD }));
  }
}
