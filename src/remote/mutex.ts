import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../diagnostics/json.js";
import { hash } from "../platform/hash.js";
import { identifyProcess, processState } from "../platform/process.js";
import { userFolder } from "../platform/user-folder.js";

/** Timeout in milliseconds for waiting for another process. */
const TIMEOUT = 10_000;

/**
 * Age in milliseconds after which a mutex is removed if the state of its
 * process is unknown.
 */
const MAX_AGE = 30_000;

/** Number of mutexes that this process has created so far. */
let count = 0;

/**
 * Runs a short action while holding a mutex for a file, so that no other
 * process of this user runs such an action for the same file at the same time.
 * The mutex is a file in the user's cache folder, because a file next to the
 * target could come from a repository. Without a cache folder, or after the
 * timeout, the action runs without a mutex. Since files are replaced
 * atomically, the worst result is then a lost update.
 */
export async function withMutex<T>(file: string, action: () => T): Promise<T> {
  const mutex = mutexOf(file);
  const isHeld = mutex !== undefined && (await acquire(mutex));
  try {
    return action();
  } finally {
    if (isHeld) rmSync(mutex, { force: true });
  }
}

function mutexOf(file: string): string | undefined {
  try {
    const folder = userFolder(path.dirname(file), true);
    if (folder === undefined) return undefined;
    const mutexes = path.join(folder, "mutexes");
    mkdirSync(mutexes, { recursive: true, mode: 0o700 });
    return path.join(mutexes, hash(path.resolve(file)));
  } catch {
    return undefined;
  }
}

async function acquire(mutex: string): Promise<boolean> {
  const owner = JSON.stringify(identifyProcess(process.pid));
  const end = Date.now() + TIMEOUT;
  while (Date.now() < end) {
    try {
      writeFileSync(mutex, owner, { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
    if (isAbandoned(mutex)) remove(mutex);
    else await delay(5 + Math.random() * 20);
  }
  return false;
}

/** Tests whether the process that created a mutex has ended. */
function isAbandoned(mutex: string): boolean {
  try {
    const age = Date.now() - statSync(mutex).mtimeMs;
    const text = readFileSync(mutex, "utf8");
    // The file is empty between its creation and the first write, so a new
    // empty file is valid.
    if (text === "") return age > 1000;
    const owner = JSON.parse(text) as unknown;
    if (!isObject(owner)) return true;
    const { pid, started } = owner;
    if (typeof pid !== "number" || typeof started !== "string") return true;
    const state = processState({ pid, started });
    return state === "ended" || (state === "unknown" && age > MAX_AGE);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/**
 * The mutex is renamed first, so that only one of several processes removes it.
 */
function remove(mutex: string): void {
  try {
    const aside = `${mutex}.${process.pid}.${count++}`;
    renameSync(mutex, aside);
    rmSync(aside, { force: true });
  } catch {
    // Another process has already removed the mutex.
  }
}
