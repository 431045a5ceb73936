import {
  Command as Program,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import { suggestion } from "../diagnostics/closest.js";
import {
  UsageError,
  type Command,
  type CommandRow,
  type Operands,
} from "./command.js";
import { fromEnvironment } from "./environment.js";
import { checkValues, completeValues } from "./option-values.js";
import { flagOf, parseChoices, type OptionRow } from "../generate/options.js";

/**
 * Result of parsing the arguments: option values, or text to print, such as the
 * help.
 */
export type ParsedArguments =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** Parts of the `--help` text other than the options. */
export interface HelpContext {
  /** Start of the usage line, such as `gen` or `gen scaffold`. */
  readonly usage: string;
  readonly summary: string;
  readonly version: string;
  /** Commands to list in the help after the options. */
  readonly others: readonly CommandRow[];
}

/**
 * Finds the command for the first words of the arguments. Returns the command
 * and the remaining arguments. Throws UsageError if there is no such command.
 */
export function chooseCommand(
  args: readonly string[],
  commands: readonly [CommandRow, ...CommandRow[]],
): { readonly row: CommandRow; readonly rest: readonly string[] } {
  const [first = "--help"] = args;
  // An argument that contains a colon is an API label, not a command name.
  if (first.startsWith("-") || first.includes(":"))
    return { row: commands[0], rest: args };
  for (const words of [3, 2, 1]) {
    const name = args.slice(0, words).join(" ");
    const row = commands.find((candidate) => candidate.name === name);
    if (row !== undefined) return { row, rest: args.slice(words) };
  }
  const names = commands.map(({ name }) => name);
  const family = names.filter((name) => name.startsWith(`${first} `));
  if (family.length > 0)
    throw new UsageError(
      `'${first}' requires a subcommand; expected one of: ${family.join(", ")}`,
    );
  throw new UsageError(
    `unknown command '${first}'${suggestion(first, names)}; see --help`,
  );
}

/**
 * Parses the arguments of a command. Options that are not on the command line
 * are read from environment variables. Throws UsageError if an argument or
 * variable is invalid.
 */
export function parseArguments(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  command: Command,
  frame: HelpContext,
): ParsedArguments {
  let text = "";
  const program = programOf(command, frame, (out) => (text += out));
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text };
    throw new UsageError(
      error.message.replace(/^error: /, "").replace(/\n/g, " "),
    );
  }
  const values = mergeValues(program.opts(), environment, command);
  const { operands } = command;
  if (operands === undefined) return { values };
  const [words] = program.processedArgs as [string | string[]];
  return { values: { ...values, [operands.name]: words } };
}

function programOf(
  { options, operands, help = "" }: Command,
  { usage, summary, version, others }: HelpContext,
  print: (text: string) => void,
): Program {
  const program = new Program(usage)
    .description(summary)
    .version(version, "--version", "print the version")
    .helpOption("--help", "print this help")
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    .configureOutput({ writeOut: print, writeErr: print })
    .addHelpText("after", commandList(others) + help);
  for (const row of options) program.addOption(optionOf(row));
  if (operands !== undefined)
    program
      .argument(wordsOf(operands), operands.description)
      .passThroughOptions(operands.takesFlags === true);
  return program;
}

/**
 * Formats operands for `--help`: `<file...>`, or `[service...]` if they are
 * optional.
 */
function wordsOf({ name, isMany, isOptional }: Operands): string {
  const words = `${name}${isMany === true ? "..." : ""}`;
  return isOptional === true ? `[${words}]` : `<${words}>`;
}

function commandList(rows: readonly CommandRow[]): string {
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `\nCommands:\n${lines.join("\n")}\n`;
}

function optionOf(row: OptionRow): Option {
  const dots = row.kind === "list" && row.isSingle !== true ? "..." : "";
  const flags =
    row.kind === "switch"
      ? flagOf(row.name)
      : `${flagOf(row.name)} <${row.value ?? "value"}${dots}>`;
  const option = new Option(flags, row.description);
  if (row.kind === "choice") option.choices([...row.choices!]);
  if (row.kind === "choices")
    option.argParser((value: string) => {
      const names = parseChoices(value, row.choices!);
      if (names !== undefined) return names;
      throw new InvalidArgumentError(
        `Allowed choices are ${row.choices!.join(", ")}${unknownOf(value, row.choices!)}.`,
      );
    });
  if (row.kind === "list")
    option.argParser((value: string, before: string[] = []) => [
      ...before,
      value,
    ]);
  // Commander only displays the default in the help. It does not apply the
  // default, because the environment takes precedence over it.
  if (row.default !== undefined) option.default(undefined, String(row.default));
  return option;
}

/**
 * Returns a suggestion for the first invalid name in a value, such as ` (did
 * you mean client?)`.
 */
function unknownOf(value: string, choices: readonly string[]): string {
  const unknown = value
    .split(",")
    .find((name) => !choices.includes(name.trim()));
  return suggestion(unknown?.trim() ?? "", choices);
}

/**
 * Merges the option values of a command. The command line takes precedence over
 * the environment, and the environment over defaults.
 */
function mergeValues(
  parsed: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
  { options, variables, isLayered }: Command,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const row of options) {
    const value =
      parsed[row.name] ??
      (isExcluded(row, parsed, options)
        ? undefined
        : fromEnvironment(row, environment, variables));
    if (value !== undefined) values[row.name] = value;
  }
  checkValues(options, values);
  return isLayered === true ? values : completeValues(options, values);
}

/**
 * Returns true if an environment variable sets an option that conflicts with an
 * option on the command line. The command line takes precedence.
 */
function isExcluded(
  { name, excludes }: OptionRow,
  parsed: Readonly<Record<string, unknown>>,
  options: readonly OptionRow[],
): boolean {
  return options.some(
    (other) =>
      parsed[other.name] !== undefined &&
      (other.name === excludes || other.excludes === name),
  );
}
