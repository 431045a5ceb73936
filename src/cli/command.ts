import type { OptionRow } from "../generate/options.js";
import type { Output } from "../diagnostics/reporters/output.js";

/** Where a command runs. */
export interface Context {
  /** Base of relative paths. */
  readonly cwd: string;
  readonly output: Output;
}

/** Words of a command line that no option introduces. */
export interface Operands {
  /** Property name of the value, and the placeholder in --help. */
  readonly name: string;
  readonly description: string;
  /** Takes all words, as a list; else one, as text. */
  readonly isMany?: boolean;
  /** May be left out. */
  readonly isOptional?: boolean;
  /** Takes words that begin with a dash too, all that follow. */
  readonly takesFlags?: boolean;
}

/** What a command line leads to. One file in commands/ each. */
export interface Command {
  readonly options: readonly OptionRow[];
  /** Words that have to follow; none where absent. */
  readonly operands?: Operands;
  /** Between GEN_ and the option's name in the environment: `UPGRADE_`. */
  readonly variables?: string;
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
  /** One to three words, as typed: `generate`, `overrides validate`. */
  readonly name: string;
  readonly summary: string;
  /** Loads what the command needs, and no more. */
  readonly load: () => Command | Promise<Command>;
}

/** The command line does not fit the tables. */
export class UsageError extends Error {}
