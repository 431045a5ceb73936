import { createHmac } from "node:crypto";
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { printJson } from "../../diagnostics/json.js";
import { visible } from "../../diagnostics/reporters/output.js";
import { replaceFile } from "../../platform/replace-file.js";
import {
  identifyProcess,
  processState,
  type ProcessIdentity,
} from "../../platform/process.js";
import { isProcess, stateProblem } from "./state-problem.js";

/** Progress of a step. */
export interface StepState {
  readonly status: "running" | "done" | "failed" | "skipped";
  /** Number of completed actions. */
  readonly actions: number;
  /** True if the next action was started and its result is unknown. */
  readonly isOpen?: true;
  /**
   * Process that runs the action, with its start time if the system reports it.
   */
  readonly child?: ProcessIdentity;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/**
 * State of an upgrade. It contains names from the overrides file, and no other
 * values.
 */
export interface UpgradeState {
  readonly version: 1;
  /** Identity of the plan, see `fingerprintOf`. */
  readonly fingerprint: string;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Names of the resources that existed before the installation. */
  readonly old?: readonly string[];
  /** Values that must not change between runs, by name. */
  readonly pins?: Readonly<Record<string, string>>;
}

/**
 * Thrown for a state file that is damaged, unsealed, or belongs to another
 * plan.
 */
export class StateError extends Error {}

/** Thrown if another run is in progress. */
export class BusyError extends Error {}

/** Maximum size of a state file, in bytes. */
const MAX_STATE = 4 << 20;

/** Options for reading a state file. */
export interface StateAccess {
  readonly key: Buffer;
  /** Accepts a state without the seal of this user's key. */
  readonly isAdopted: boolean;
}

/**
 * Reads the state of an upgrade; returns undefined if there is none. Throws
 * StateError.
 */
export function readState(
  file: string,
  access: StateAccess,
): UpgradeState | undefined {
  let text: string;
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_STATE)
      throw new Error(`${file} must be a file of up to ${MAX_STATE >> 20} MiB`);
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StateError((error as Error).message);
  }
  return parseState(text, file, access);
}

/** Parses the text of a state file. Throws StateError. */
export function parseState(
  text: string,
  file: string,
  { key, isAdopted }: StateAccess,
): UpgradeState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StateError(`${file} is damaged: it must be JSON`);
  }
  const problem = stateProblem(value);
  if (problem !== undefined)
    throw new StateError(`${file} is damaged: ${visible(problem)}`);
  const { seal, ...state } = value as UpgradeState & { readonly seal?: string };
  if (!isAdopted && seal !== sealOf(state, key))
    throw new StateError(
      `${file} must have the seal of this user: another user or machine wrote it, or it was edited; check which steps it reports as done, then pass --adopt-state`,
    );
  return state;
}

/**
 * Writes the state atomically, so that a killed process leaves the old or the
 * new one.
 */
export function writeState(
  file: string,
  state: UpgradeState,
  key: Buffer,
): void {
  const sealed = { ...state, seal: sealOf(state, key) };
  const text = `${printJson(sealed)}\n`;
  replaceFile(file, Buffer.from(text), 0o600);
}

/**
 * Returns a keyed hash of a state, which requires read access to the user's
 * key.
 */
function sealOf(state: UpgradeState, key: Buffer): string {
  return createHmac("sha256", key)
    .update("upgrade-state\0")
    .update(JSON.stringify(state))
    .digest("base64url");
}

/** Returns the live process that holds the lock of a state file. */
export function lockHolder(file: string): StepState["child"] {
  const owner = readLock(`${file}.lock`);
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

/** Locks a state file; returns a function that unlocks it. Throws BusyError. */
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

function readLock(lock: string): StepState["child"] {
  try {
    if (statSync(lock).size > 1024) return undefined;
    const owner: unknown = JSON.parse(readFileSync(lock, "utf8"));
    return isProcess(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a recorded process may still run. */
export function isAlive(child: ProcessIdentity): boolean {
  return processState(child) !== "ended";
}
