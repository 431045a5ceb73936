import type { StateAccess } from "./state.js";

/** How a plan is carried out. */
export interface RunOptions {
  readonly cwd: string;
  readonly stateFile: string;
  readonly access: StateAccess;
  /** Base URL of the control plane. */
  readonly api: string;
  /** These steps, even if they were done. */
  readonly only?: readonly string[];
  /** The steps from this one on. */
  readonly fromStep?: string;
  /** Steps that a person has done. */
  readonly done: readonly string[];
  /** Milliseconds for a command, and for a check to say yes. */
  readonly deadline: number;
  /** Milliseconds between two questions of a check. */
  readonly interval: number;
  /** Runs destructive steps although steps before them are not done. */
  readonly isForced?: boolean;
  /** Accepts differences from what earlier runs pinned. */
  readonly isChanged?: boolean;
  /** Asks a person; undefined where there is no terminal. */
  readonly confirm: (
    question: string,
  ) => boolean | undefined | Promise<boolean | undefined>;
  /** Shows a line; what it hides stays hidden. */
  readonly say: (line: string) => void;
  readonly hide: (secret: string) => void;
}

/** How a run ended. */
export interface RunResult {
  readonly isDone: boolean;
  /** Where it stopped, and why. */
  readonly stoppedAt?: string;
  readonly reason?: string;
}
