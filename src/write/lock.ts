import { hostname } from "node:os";
import { sealValue } from "../platform/seal.js";
import {
  identifyProcess,
  processState,
  type ProcessIdentity,
} from "../platform/process.js";
import { isObject } from "../diagnostics/json.js";

/**
 * Age in milliseconds after which a lock expires if it is unknown whether the
 * process that created the lock is still running.
 */
const MAX_UNKNOWN_AGE = 10 * 60_000;

/** Process that writes into an output directory. */
export interface Owner extends ProcessIdentity {
  readonly host: string;
}

/**
 * Returns the signed content of the lock file, which identifies this process as
 * the owner of the staging folder.
 */
export function ownerText(out: string): string {
  const { pid, started } = identifyProcess(process.pid);
  const owner: Owner = { pid, host: hostname(), started };
  return sealValue("lock", out, owner);
}

/**
 * Parses the owner in a lock file; returns undefined if the value is invalid.
 */
export function parseOwner(value: unknown): Owner | undefined {
  if (!isObject(value)) return undefined;
  const { pid, host, started } = value;
  return Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof host === "string" &&
    typeof started === "string"
    ? { pid: pid as number, host, started }
    : undefined;
}

/**
 * Tests whether the process of an owner is still running. If this is unknown, a
 * recent lock counts as valid.
 * @param age age of the lock in milliseconds
 */
export function isRunning(owner: Owner, age: number): boolean {
  const isLocal = owner.host === hostname();
  const state = isLocal ? processState(owner) : "unknown";
  return state === "unknown" ? age < MAX_UNKNOWN_AGE : state === "running";
}

/**
 * Tests whether an owner without a valid signature is a running process on this
 * machine, that is, a run of another user. A lock file from a repository can't
 * pass this test, because it would have to contain the start time of a running
 * process.
 */
export function isProvenRunning(owner: Owner): boolean {
  return (
    owner.pid !== 1 &&
    owner.host === hostname() &&
    processState(owner) === "running"
  );
}
