import type { OptionRow } from "../generate/options.js";
import type { Output } from "../diagnostics/reporters/output.js";

/** Working directory and output of a command. */
export interface Context {
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  readonly output: Output;
}

/** Positional arguments of a command. */
export interface Operands {
  /**
   * Property of the command's values that contains the arguments. `--help`
   * shows the name as the placeholder.
   */
  readonly name: string;
  readonly description: string;
  /**
   * True if the command accepts several arguments; the value is then a list.
   */
  readonly isMany?: boolean;
  /** True if the arguments can be omitted. */
  readonly isOptional?: boolean;
  /**
   * True if arguments after the first operand count as operands even if they
   * begin with a dash.
   */
  readonly takesFlags?: boolean;
}

/**
 * Command of the command-line interface. Each command has a file in commands/.
 */
export interface Command {
  readonly options: readonly OptionRow[];
  /** Positional arguments; absent if the command has none. */
  readonly operands?: Operands;
  /**
   * Text after `GEN_` in the names of the command's environment variables, such
   * as `UPGRADE_`.
   */
  readonly variables?: string;
  /**
   * True if option values are merged with those of a config file. `run` then
   * receives values without defaults and must check required options itself.
   */
  readonly isLayered?: boolean;
  /** Text of `--help` after the list of options. */
  readonly help?: string;
  /**
   * @param values option values, keyed by property name
   * @returns the exit code
   */
  run(
    values: Readonly<Record<string, unknown>>,
    context: Context,
  ): Promise<number>;
}

export interface CommandRow {
  /**
   * Command name of one to three words, as typed: `generate`, `overrides
   * validate`.
   */
  readonly name: string;
  readonly summary: string;
  /** True if neither help nor completion lists the command. */
  readonly isHidden?: boolean;
  /** Imports the modules of the command. */
  readonly load: () => Command | Promise<Command>;
}

/** Error for an invalid command line. */
export class UsageError extends Error {}

/** Throws UsageError if `--no-config` is given to a command that needs a config. */
export function requireConfig(
  noConfig: boolean | undefined,
  command: string,
): void {
  if (noConfig === true)
    throw new UsageError(
      `${command} needs a config, so --no-config can't be used`,
    );
}
