import type { StateAccess } from "./state-file.js";

/** Options for executing an upgrade plan. */
export interface RunOptions {
  readonly cwd: string;
  readonly stateFile: string;
  readonly access: StateAccess;
  /** Base URL of the control plane API. */
  readonly api: string;
  /**
   * Ids of the steps to run, even if they are already completed. If absent, all
   * remaining steps run.
   */
  readonly only?: readonly string[];
  /** Id of the first step to run. */
  readonly fromStep?: string;
  /** Ids of steps that the user completed manually. */
  readonly doneSteps: readonly string[];
  /** Timeout in milliseconds for each command, and for repeating a check. */
  readonly deadline: number;
  /** Milliseconds between retries of a check. */
  readonly interval: number;
  /** True to allow destructive steps before all earlier steps are completed. */
  readonly isForced?: boolean;
  /** True to accept values that differ from those of earlier runs. */
  readonly acceptsChanges?: boolean;
  /**
   * Asks the user for confirmation. Returns undefined if no terminal is
   * available.
   */
  readonly confirm: (
    question: string,
  ) => boolean | undefined | Promise<boolean | undefined>;
  /** Prints a line with secrets masked. */
  readonly print: (line: string) => void;
  readonly hide: (secret: string) => void;
}

/** Result of executing an upgrade plan. */
export interface RunResult {
  readonly isDone: boolean;
  /** Id of the step at which the run stopped. */
  readonly stoppedAt?: string;
  readonly reason?: string;
}
