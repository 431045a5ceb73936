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
import { isProcess, stateProblem } from "./state-shape.js";

/** How far a step is. */
export interface StepState {
  readonly status: "running" | "done" | "failed" | "skipped";
  /** Actions that are done. */
  readonly actions: number;
  /** The action after them was begun, and nobody knows whether it was done. */
  readonly isOpen?: true;
  /** The process that does it, with its start time where the system tells. */
  readonly child?: ProcessIdentity;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/** State of an upgrade. It has no value of the overrides file but names. */
export interface UpgradeState {
  readonly version: 1;
  /** Of the plan; a state does not fit another one. */
  readonly fingerprint: string;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Resources that existed before the installation. */
  readonly old?: readonly string[];
  /** What must stay the same from run to run, by name. */
  readonly pins?: Readonly<Record<string, string>>;
}

/** A state file is damaged, was written by someone else, or belongs to another plan. */
export class StateError extends Error {}

/** Another run is in progress. */
export class BusyError extends Error {}

/** Longest state file that is read, in bytes. */
const MAX_STATE = 4 << 20;

/** How a state file is read. */
export interface StateAccess {
  readonly key: Buffer;
  /** Accepts a state without the seal of this user's key. */
  readonly isAdopted: boolean;
}

/** Returns the state of an upgrade; undefined where none was begun. Throws StateError. */
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

/** Reads the text of a state file. Throws StateError. */
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
      `${file} must have the seal of this user: another user or machine wrote it, or it was edited; check which steps it reports as done, then give --adopt-state`,
    );
  return state;
}

/** Writes the state so that a killed process leaves the old one or the new one. */
export function writeState(
  file: string,
  state: UpgradeState,
  key: Buffer,
): void {
  const sealed = { ...state, seal: sealOf(state, key) };
  const text = `${printJson(sealed)}\n`;
  replaceFile(file, Buffer.from(text), 0o600);
}

/** Keyed hash of a state: only who can read the user's key can make it. */
function sealOf(state: UpgradeState, key: Buffer): string {
  return createHmac("sha256", key)
    .update("upgrade-state\0")
    .update(JSON.stringify(state))
    .digest("base64url");
}

/** Process that holds the lock of a state file; undefined where none does. */
export function runnerOf(file: string): StepState["child"] {
  const owner = ownerOf(`${file}.lock`);
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

/** Keeps other runs out; the result lets them in again. Throws BusyError. */
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
    const owner = ownerOf(lock);
    if (owner !== undefined && isAlive(owner))
      throw new BusyError(
        `another run (process ${owner.pid}) is in progress; if that process is not a run of this upgrade, delete ${lock}`,
      );
    rmSync(lock, { force: true });
  }
}

function ownerOf(lock: string): StepState["child"] {
  try {
    if (statSync(lock).size > 1024) return undefined;
    const owner: unknown = JSON.parse(readFileSync(lock, "utf8"));
    return isProcess(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Tests whether a recorded process may still run. */
export function isAlive(child: ProcessIdentity): boolean {
  return processState(child) !== "ended";
}
