import type { OptionRow } from "./options.js";
import type { Output } from "./reporters/output.js";

/** Where a command runs. */
export interface Context {
  /** Base of relative paths. */
  readonly cwd: string;
  readonly output: Output;
}

/** What a command line leads to. One file in commands/ each. */
export interface Command {
  readonly options: readonly OptionRow[];
  /** Shown by --help below the options. */
  readonly help?: string;
  /**
   * @param values by property name, as the options describe them
   * @returns the exit code
   */
  run(
    values: Readonly<Record<string, unknown>>,
    context: Context,
  ): Promise<number>;
}

/** A row of the command table. */
export interface CommandRow {
  /** One word or two, as typed: `generate`, `overrides check`. */
  readonly name: string;
  readonly summary: string;
  /** Loads what the command needs, and no more. */
  readonly load: () => Command | Promise<Command>;
}

/** The command line does not fit the tables. */
export class UsageError extends Error {}
