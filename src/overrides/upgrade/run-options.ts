import type { StateAccess } from "./state-file.js";

/** Options for running a plan. */
export interface RunOptions {
  readonly cwd: string;
  readonly stateFile: string;
  readonly access: StateAccess;
  /** Base URL of the control plane. */
  readonly api: string;
  /** Ids of the only steps to run, including completed ones. */
  readonly only?: readonly string[];
  /** Id of the first step to run. */
  readonly fromStep?: string;
  /** Ids of steps that were done manually. */
  readonly doneSteps: readonly string[];
  /** Timeout of a command, and of a repeated check, in milliseconds. */
  readonly deadline: number;
  /** Milliseconds between two tries of a check. */
  readonly interval: number;
  /** Allows destructive steps before earlier steps are completed. */
  readonly isForced?: boolean;
  /** Accepts values that differ from those of earlier runs. */
  readonly acceptsChanges?: boolean;
  /** Asks the user for confirmation; returns undefined without a terminal. */
  readonly confirm: (
    question: string,
  ) => boolean | undefined | Promise<boolean | undefined>;
  /** Prints a line with hidden values masked. */
  readonly print: (line: string) => void;
  readonly hide: (secret: string) => void;
}

/** Result of a run. */
export interface RunResult {
  readonly isDone: boolean;
  /** Id of the step at which the run stopped. */
  readonly stoppedAt?: string;
  readonly reason?: string;
}
