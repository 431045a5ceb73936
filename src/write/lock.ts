import { hostname } from "node:os";
import { sealed } from "../platform/seal.js";
import { startOf } from "../platform/process-start.js";
import { isRecord } from "./manifest.js";

/** After this many milliseconds an owner that can't be looked at is taken as dead. */
const PATIENCE = 10 * 60_000;

/** Process that writes into an output folder. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, where the system tells: numbers are used again. */
  readonly started: string;
}

/** Text by which this process owns the staging folder. */
export function ownOwner(out: string): string {
  const { pid } = process;
  const owner: Owner = { pid, host: hostname(), started: startOf(pid) ?? "" };
  return sealed("lock", out, owner);
}

/** A value as an owner; undefined where it is none. */
export function ownerOf(value: unknown): Owner | undefined {
  if (!isRecord(value)) return undefined;
  const { pid, host, started } = value;
  return Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof host === "string" &&
    typeof started === "string"
    ? { pid: pid as number, host, started }
    : undefined;
}

/**
 * Whether an owner still runs, as far as can be told.
 * @param age of the lock, in milliseconds
 */
export function isRunning(owner: Owner, age: number): boolean {
  const { pid, host, started } = owner;
  if (host !== hostname()) return age < PATIENCE;
  if (!isAlive(pid)) return false;
  const now = startOf(pid);
  return now === undefined || started === "" ? age < PATIENCE : now === started;
}

/**
 * Whether an owner without a valid seal is a live process of this machine:
 * another user's run. A file that came with a repository can't name one, since
 * it would have to know when the process began.
 */
export function isProvenRunning({ pid, host, started }: Owner): boolean {
  return (
    pid !== 1 &&
    host === hostname() &&
    started !== "" &&
    isAlive(pid) &&
    startOf(pid) === started
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
