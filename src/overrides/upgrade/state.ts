import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { replaceFile } from "../files.js";
import { startOf } from "../../process-start.js";

/** How far a step is. */
export interface StepState {
  readonly status: "running" | "done" | "failed" | "skipped";
  /** Actions that are done. */
  readonly actions: number;
  /** The action after them was begun, and nobody knows whether it was done. */
  readonly isOpen?: true;
  /** The process that does it, with its start time where the system tells. */
  readonly child?: { readonly pid: number; readonly started: string };
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/** How far an upgrade is, as it lies on the disk. It holds no value of the overrides file but names. */
export interface UpgradeState {
  readonly version: 1;
  /** Of the plan; a state does not fit another one. */
  readonly fingerprint: string;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Resources that were there before the installation. */
  readonly old?: readonly string[];
}

/** A state file is no state file, or belongs to another plan. */
export class StateError extends Error {}

/** Another run is going on. */
export class BusyError extends Error {}

/** The state of an upgrade; undefined where none was begun. Throws StateError. */
export function readState(file: string): UpgradeState | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StateError((error as Error).message);
  }
  try {
    const state = JSON.parse(text) as UpgradeState;
    if (state.version === 1 && typeof state.steps === "object") return state;
  } catch {
    // Said below.
  }
  throw new StateError(`${file} is no state of an upgrade`);
}

/** Writes the state so that a killed process leaves the old one or the new one. */
export function writeState(file: string, state: UpgradeState): void {
  const text = `${JSON.stringify(state, undefined, 2)}\n`;
  replaceFile(file, Buffer.from(text), 0o600);
}

/** Keeps other runs out; the result lets them in again. Throws BusyError. */
export function lockState(file: string): () => void {
  const lock = `${file}.lock`;
  for (;;) {
    try {
      const descriptor = openSync(lock, "wx", 0o600);
      writeSync(descriptor, JSON.stringify(selfOf(process.pid)));
      closeSync(descriptor);
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = ownerOf(lock);
    if (owner !== undefined && isAlive(owner))
      throw new BusyError(`another run (process ${owner.pid}) is going on`);
    rmSync(lock, { force: true });
  }
}

function ownerOf(lock: string): StepState["child"] {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as StepState["child"];
  } catch {
    return undefined;
  }
}

/** A process, so that it is known again. */
export function selfOf(pid: number): { pid: number; started: string } {
  return { pid, started: startOf(pid) ?? "" };
}

/** Whether a process is the one that was noted, and runs. */
export function isAlive({
  pid,
  started,
}: {
  readonly pid: number;
  readonly started: string;
}): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  if (now === "zombie") return false;
  return started === "" || now === undefined || now === started;
}
