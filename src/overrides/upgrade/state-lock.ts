import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import {
  identifyProcess,
  type ProcessIdentity,
} from "../../platform/process.js";
import { isAlive, isProcess } from "./process-record.js";

/** Error if another run of the upgrade is in progress. */
export class BusyError extends Error {}

/**
 * Returns the running process that holds the lock of a state file; undefined if
 * the file is not locked.
 */
export function lockHolder(file: string): ProcessIdentity | undefined {
  const owner = readLock(`${file}.lock`);
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

/**
 * Locks a state file. Returns the function that unlocks it. Throws BusyError if
 * another process has locked the file.
 */
export function lockState(file: string): () => void {
  const lock = `${file}.lock`;
  for (;;) {
    try {
      const descriptor = openSync(lock, "wx", 0o600);
      writeSync(descriptor, JSON.stringify(identifyProcess(process.pid)));
      closeSync(descriptor);
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = readLock(lock);
    if (owner !== undefined && isAlive(owner))
      throw new BusyError(
        `another run (process ${owner.pid}) is in progress; if that process is not a run of this upgrade, delete ${lock}`,
      );
    rmSync(lock, { force: true });
  }
}

function readLock(lock: string): ProcessIdentity | undefined {
  try {
    if (statSync(lock).size > 1024) return undefined;
    const owner: unknown = JSON.parse(readFileSync(lock, "utf8"));
    return isProcess(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}
