import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readPlainFile } from "./plain-file.js";
import {
  identifyProcess,
  processState,
  type ProcessIdentity,
} from "./process.js";
import { clearLeftovers, temporaryName } from "./replace-file.js";

/*
 * A lock is a folder with one file that names its holder. The folder is prepared
 * under another name and renamed. rename(2) succeeds only if the target is missing
 * or an empty folder, so exactly one process gets the lock, and a lock is complete
 * from the start. The file has a random name: removing the file of a process that
 * has ended can't remove the lock of a process that locks at the same time.
 */

/** Process that holds a lock. */
export interface LockHolder extends ProcessIdentity {
  readonly host: string;
}

/** Error if another process holds a lock. */
export class LockedError extends Error {
  override readonly name = "LockedError";
  readonly holder: LockHolder;

  constructor(lock: string, holder: LockHolder) {
    super(
      `another run (process ${holder.pid}) is in progress; if that process is not a run of gen, delete ${lock}`,
    );
    this.holder = holder;
  }
}

/** Options of a lock. */
export interface LockOptions {
  /**
   * Age in milliseconds after which a lock expires if it is unknown whether its
   * holder is still running: on another host, or without `/proc`. Default: 10
   * minutes.
   */
  readonly maxUnknownAge?: number;
}

/** Maximum number of attempts, which fail if other processes lock and release. */
const ATTEMPTS = 100;

/** Maximum size in bytes of the file that names the holder. */
const MAX_BYTES = 1024;

/** Error codes of a rename if the target is a lock or another file. */
const CONFLICTS = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"]);

/**
 * Locks a path. Locks of processes that have ended are removed.
 * @param lock path of the lock, in an existing folder
 * @returns function that releases the lock
 * @throws LockedError if another process holds the lock, and file system errors
 */
export function acquireLock(
  lock: string,
  options: LockOptions = {},
): () => void {
  const name = randomBytes(8).toString("hex");
  const prepared = temporaryName(lock);
  mkdirSync(prepared);
  try {
    const holder: LockHolder = {
      ...identifyProcess(process.pid),
      host: hostname(),
    };
    writeFileSync(path.join(prepared, name), JSON.stringify(holder));
    replaceEndedLock(prepared, lock, options);
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
  clearLeftovers(lock);
  return () => {
    rmSync(path.join(lock, name), { force: true });
    removeEmpty(lock);
  };
}

function replaceEndedLock(
  prepared: string,
  lock: string,
  options: LockOptions,
): void {
  for (let attempt = 1; ; attempt++) {
    removeEnded(lock, options);
    try {
      renameSync(prepared, lock);
      return;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (attempt === ATTEMPTS || !CONFLICTS.has(code)) throw error;
    }
  }
}

/**
 * Runs a short action with a lock. Waits until other processes have released it.
 * @param timeout milliseconds after which the function throws LockedError
 */
export async function withLock<T>(
  lock: string,
  timeout: number,
  action: () => T | Promise<T>,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    let release: () => void;
    try {
      release = acquireLock(lock);
    } catch (error) {
      if (!(error instanceof LockedError) || Date.now() >= end) throw error;
      await delay(5 + Math.random() * 20);
      continue;
    }
    try {
      return await action();
    } finally {
      release();
    }
  }
}

/** Returns the process that holds a lock; undefined if the path is not locked. */
export function lockHolder(
  lock: string,
  options: LockOptions = {},
): LockHolder | undefined {
  if (kindOf(lock) !== "folder") return undefined;
  return namesIn(lock)
    .map((name) => readHolder(path.join(lock, name), options))
    .find((holder) => holder !== undefined);
}

/**
 * Removes what processes left that have ended. An empty folder and a file that is
 * not a lock are removed too, since a lock is never incomplete.
 */
function removeEnded(lock: string, options: LockOptions): void {
  const kind = kindOf(lock);
  if (kind === undefined) return;
  if (kind === "other") return removeFile(lock);
  for (const name of namesIn(lock)) {
    if (!/^[0-9a-f]{16}$/.test(name))
      throw new Error(
        `${lock} contains ${name}, which is not part of a lock; delete ${lock}`,
      );
    const entry = path.join(lock, name);
    const holder = readHolder(entry, options);
    if (holder !== undefined) throw new LockedError(lock, holder);
    rmSync(entry, { force: true });
  }
  removeEmpty(lock);
}

/**
 * Removes a file that is not a lock. Fails silently if another process has
 * removed it, or if it has become a lock: unlink(2) does not remove folders.
 */
function removeFile(lock: string): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ENOENT", "EISDIR", "EPERM"].includes(code)) throw error;
  }
}

function removeEmpty(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // The folder is already removed, or another process has locked the path.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function kindOf(file: string): "folder" | "other" | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "other";
}

/** Returns the holder in a file of a lock, unless the holder has ended. */
function readHolder(
  entry: string,
  { maxUnknownAge = 10 * 60_000 }: LockOptions,
): LockHolder | undefined {
  const stats = lstatSync(entry, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const holder = parseHolder(textOf(entry));
  if (holder === undefined) return undefined;
  const isLocal = holder.host === hostname();
  const state = isLocal ? processState(holder) : "unknown";
  const age = Math.abs(Date.now() - stats.mtimeMs);
  return state === "running" || (state === "unknown" && age < maxUnknownAge)
    ? holder
    : undefined;
}

/** Returns the text of a file; empty if the lock is released in the meantime. */
function textOf(entry: string): string {
  try {
    return readPlainFile(entry, MAX_BYTES)?.toString() ?? "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function parseHolder(text: string): LockHolder | undefined {
  let holder: Partial<Record<keyof LockHolder, unknown>> | null;
  try {
    holder = JSON.parse(text) as typeof holder;
  } catch {
    return undefined;
  }
  const { pid, started, host } = holder ?? {};
  return Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof started === "string" &&
    typeof host === "string"
    ? { pid: pid as number, started, host }
    : undefined;
}
