import { type ProcessIdentity, processState } from "../../platform/process.js";
import { createHmac } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { printJson, isObject } from "../../diagnostics/json.js";
import { visible } from "../../diagnostics/invisible.js";
import { replaceFile } from "../../platform/replace-file.js";

/** Progress of a step. */
export interface StepState {
  readonly status: "running" | "done" | "failed" | "skipped";
  /** Number of completed actions. */
  readonly actions: number;
  /**
   * True if the next action was started, but it is unknown whether it was
   * completed.
   */
  readonly isOpen?: true;
  /**
   * Process that runs the current action. The start time of the process is
   * included if the operating system reports it.
   */
  readonly child?: ProcessIdentity;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/**
 * Stored state of an upgrade. It contains names from the overrides file, but no
 * values.
 */
export interface UpgradeState {
  readonly version: 1;
  /** Fingerprint that identifies the plan; see `fingerprintOf`. */
  readonly fingerprint: string;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Names of the old runtime's resources, recorded before the installation. */
  readonly old?: readonly string[];
  /** Values that must not change between runs, keyed by name. */
  readonly pins?: Readonly<Record<string, string>>;
}

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

type MemberTest = readonly [
  problem: string,
  isRight: (value: unknown) => boolean,
];

const TEXT: MemberTest = [
  "must be a string",
  (value) => typeof value === "string",
];
const TIME: MemberTest = [
  "must be a time such as 2026-01-31T12:00:00.000Z",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
];

const STEP: Readonly<Record<string, MemberTest>> = {
  status: [
    "must be running, done, failed or skipped",
    (value) =>
      value === "running" ||
      value === "done" ||
      value === "failed" ||
      value === "skipped",
  ],
  actions: ["must be a non-negative integer", (value) => isCount(value)],
  isOpen: ["must be true or absent", (value) => value === true],
  child: ["must have the members `pid` and `started`", isProcess],
  startedAt: TIME,
  endedAt: TIME,
  reason: TEXT,
};

const STATE: Readonly<Record<string, MemberTest>> = {
  version: ["must be 1", (value) => value === 1],
  fingerprint: TEXT,
  steps: ["must be an object", isObject],
  old: [
    "must be an array of strings",
    (value) =>
      Array.isArray(value) && value.every((item) => typeof item === "string"),
  ],
  pins: [
    "must be an object whose values are strings",
    (value) =>
      isObject(value) &&
      Object.values(value).every((item) => typeof item === "string"),
  ],
  seal: TEXT,
};

/**
 * Returns an error message about the first invalid member of a state; undefined
 * if the state is valid.
 */
function stateProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "the file must be an object";
  const problem = recordProblem(value, "", STATE, [
    "version",
    "fingerprint",
    "steps",
  ]);
  if (problem !== undefined) return problem;
  const steps = Object.entries(value["steps"] as Record<string, unknown>);
  for (const [id, step] of steps) {
    const path = `steps.${id}`;
    if (!isObject(step)) return `${path} must be an object`;
    const stepProblem = recordProblem(step, `${path}.`, STEP, [
      "status",
      "actions",
      "startedAt",
    ]);
    if (stepProblem !== undefined) return stepProblem;
  }
  return undefined;
}

function recordProblem(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  tests: Readonly<Record<string, MemberTest>>,
  required: readonly string[],
): string | undefined {
  for (const key of required)
    if (!Object.hasOwn(value, key)) return `${prefix}${key} is missing`;
  for (const [key, member] of Object.entries(value)) {
    const test = Object.hasOwn(tests, key) ? tests[key] : undefined;
    if (test === undefined) return `${prefix}${key} is not a known key`;
    if (!test[1](member)) return `${prefix}${key} ${test[0]}`;
  }
  return undefined;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * State of a run. The state file is written whenever the state of a step
 * changes.
 */
export class StateStore {
  readonly #file: string;
  readonly #access: StateAccess;
  #state: UpgradeState;

  constructor(
    state: UpgradeState,
    {
      stateFile,
      access,
    }: { readonly stateFile: string; readonly access: StateAccess },
  ) {
    this.#state = state;
    this.#file = stateFile;
    this.#access = access;
  }

  get state(): UpgradeState {
    return this.#state;
  }

  /** Sets the progress of a step and writes the state file. */
  setStep(id: string, step: StepState): void {
    const steps = { ...this.#state.steps, [id]: step };
    this.#state = { ...this.#state, steps };
    this.save();
  }

  /** Sets values in memory. They are written with the next change of a step. */
  set(values: Pick<UpgradeState, "old" | "pins">): void {
    this.#state = { ...this.#state, ...values };
  }

  /** Writes the state file with a signature made with this user's key. */
  save(): void {
    writeState(this.#file, this.#state, this.#access.key);
  }
}

/** Tests whether a JSON value is a valid process id with a start time. */
function isProcess(value: unknown): value is ProcessIdentity {
  return (
    isObject(value) &&
    Number.isSafeInteger(value["pid"]) &&
    (value["pid"] as number) >= 1 &&
    typeof value["started"] === "string" &&
    Object.keys(value).length === 2
  );
}

/** Tests whether a recorded process could still be running. */
export function isAlive(record: ProcessIdentity): boolean {
  return processState(record) !== "ended";
}
