import type { CommandResult } from "./execute.js";
import type { PlanOptions } from "./plan-options.js";
import type { StepCommand } from "./step.js";

/**
 * Options and functions for upgrade actions that are implemented in TypeScript.
 */
export interface BuiltinContext {
  readonly options: PlanOptions;
  readonly cwd: string;
  /** Base URL of the control plane API. */
  readonly api: string;
  /** Runs a command without printing its output. */
  readonly query: (command: StepCommand) => Promise<CommandResult>;
  /**
   * Runs a command that changes the system; prints the command and its output.
   */
  readonly run: (command: StepCommand) => Promise<CommandResult>;
  readonly print: (line: string) => void;
  /** Masks a secret in all further output. */
  readonly hide: (secret: string) => void;
  readonly oldResources: () => readonly string[] | undefined;
  readonly recordOldResources: (names: readonly string[]) => void;
}
