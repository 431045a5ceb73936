import { lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { makeFolder } from "./folders.js";
import { STAGING } from "./journal.js";
import { startOf } from "../process-start.js";

/** After this many milliseconds an owner that can't be looked at is taken as dead. */
const PATIENCE = 10 * 60_000;

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, where the system tells: numbers are used again. */
  readonly started: string;
}

/** Another run is writing into the same folder. */
export class LockedError extends Error {}

/** Makes the staging folder this run's own. Throws LockedError where it is another's. */
export function lock(out: string): void {
  const staging = path.join(out, STAGING);
  makeFolder(staging);
  if (!lstatSync(staging).isDirectory())
    throw new Error(`${STAGING} is not a folder`);
  const { pid } = process;
  const owner: Owner = { pid, host: hostname(), started: startOf(pid) ?? "" };
  try {
    writeFileSync(path.join(staging, "owner"), JSON.stringify(owner), {
      flag: "wx",
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new LockedError("another run is writing there");
    throw error;
  }
}

/** Throws LockedError while the run that made the staging folder is alive. */
export function refuseLocked(out: string): void {
  const file = path.join(out, STAGING, "owner");
  const owner = readOwner(file);
  if (owner !== undefined && isAlive(owner, file))
    throw new LockedError(
      `another run (process ${owner.pid}) is writing there`,
    );
}

function readOwner(file: string): Owner | undefined {
  try {
    const { pid, host, started } = JSON.parse(
      readFileSync(file, "utf8"),
    ) as Owner;
    return Number.isSafeInteger(pid) && pid > 0
      ? { pid, host, started }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, started }: Owner, file: string): boolean {
  const age = Date.now() - statSync(file).mtimeMs;
  if (host !== hostname()) return age < PATIENCE;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = startOf(pid);
  return now === undefined || started === "" ? age < PATIENCE : now === started;
}
