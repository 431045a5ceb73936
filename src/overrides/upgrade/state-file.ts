import { createHmac } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { printJson } from "../../diagnostics/json.js";
import { visible } from "../../diagnostics/reporters/output.js";
import { replaceFile } from "../../platform/replace-file.js";
import { stateProblem } from "./state-problem.js";
import type { UpgradeState } from "./upgrade-state.js";

/**
 * Error for a state file that is damaged, has an invalid signature, or was
 * created for another plan.
 */
export class StateError extends Error {}

/** Maximum size of a state file in bytes. */
const MAX_STATE = 4 << 20;

/** Options for reading a state file. */
export interface StateAccess {
  readonly key: Buffer;
  /**
   * True to accept a state file whose signature was not made with this user's
   * key.
   */
  readonly isAdopted: boolean;
}

/**
 * Reads the state of an upgrade from a file; returns undefined if the file does
 * not exist. Throws StateError if the file is invalid.
 */
export function readState(
  file: string,
  access: StateAccess,
): UpgradeState | undefined {
  let text: string;
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_STATE)
      throw new Error(
        `${file} must be a file of at most ${MAX_STATE >> 20} MiB`,
      );
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StateError((error as Error).message);
  }
  return parseState(text, file, access);
}

/**
 * Parses the text of a state file. Throws StateError if the text is invalid.
 */
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
      `${file} was edited, or was written by a different user or on a different machine; check which steps the file reports as done, then pass --adopt-state`,
    );
  return state;
}

/**
 * Writes the state file atomically: if the process is killed, the file contains
 * either the old or the new state.
 */
export function writeState(
  file: string,
  state: UpgradeState,
  key: Buffer,
): void {
  const sealed = { ...state, seal: sealOf(state, key) };
  const text = `${printJson(sealed)}\n`;
  replaceFile(file, text, { mode: 0o600 });
}

/** Returns the HMAC of a state. It can be computed only with the user's key. */
function sealOf(state: UpgradeState, key: Buffer): string {
  return createHmac("sha256", key)
    .update("upgrade-state\0")
    .update(JSON.stringify(state))
    .digest("base64url");
}
