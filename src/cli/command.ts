import type { OptionRow } from "../generate/options.js";
import type { Output } from "../diagnostics/reporters/output.js";

/** Environment of a command. */
export interface Context {
  /** Base of relative paths. */
  readonly cwd: string;
  readonly output: Output;
}

/** Positional arguments of a command. */
export interface Operands {
  /** Property name of the value, and placeholder in `--help`. */
  readonly name: string;
  readonly description: string;
  /** True if the value is a list of all arguments; else it is one argument. */
  readonly isMany?: boolean;
  /** True if the arguments can be omitted. */
  readonly isOptional?: boolean;
  /** True if later arguments that begin with a dash are operands too. */
  readonly takesFlags?: boolean;
}

/** Command of the command line; one file in commands/ for each. */
export interface Command {
  readonly options: readonly OptionRow[];
  /** Positional arguments; absent if the command takes none. */
  readonly operands?: Operands;
  /** Prefix of environment variables after GEN_, such as `UPGRADE_`. */
  readonly variables?: string;
  /** Text of `--help` below the options. */
  readonly help?: string;
  /**
   * @param values option values by property name
   * @returns the exit code
   */
  run(
    values: Readonly<Record<string, unknown>>,
    context: Context,
  ): Promise<number>;
}

/** Row of the command table. */
export interface CommandRow {
  /** One to three words, as typed: `generate`, `overrides validate`. */
  readonly name: string;
  readonly summary: string;
  /** Imports the modules of the command. */
  readonly load: () => Command | Promise<Command>;
}

/** The command line is invalid. */
export class UsageError extends Error {}
