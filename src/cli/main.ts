import { version } from "#built/runtime.js";
import {
  Command as Program,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import { catalogue } from "../diagnostics/catalogue.js";
import { suggestion } from "../diagnostics/closest.js";
import { standardOutput } from "../diagnostics/reporters/output.js";
import { paragraph } from "../diagnostics/reporters/text.js";
import { Sink } from "../diagnostics/sink.js";
import {
  flagOf,
  noConfigOption,
  type OptionRow,
  parseChoices,
  variableOf,
} from "../generate/options.js";
import { MissingPackageError } from "../platform/optional-package.js";
import {
  type Command,
  type CommandRow,
  type Operands,
  UsageError,
} from "./command.js";
import { commands } from "./commands/index.js";
import { checkValues, completeValues } from "./option-values.js";

/** Runs the command line and returns the exit code. Never throws. */
export async function main(args: readonly string[]): Promise<number> {
  const output = standardOutput();
  const sink = new Sink();
  try {
    return await run(args, output);
  } catch (error) {
    const code = reportError(error, sink);
    for (const finding of sink.diagnostics)
      output.err(paragraph(finding, output.color));
    return code;
  }
}

async function run(
  args: readonly string[],
  output: ReturnType<typeof standardOutput>,
): Promise<number> {
  const { row, rest } = chooseCommand(args, commands);
  const isDefault = row === commands[0];
  const command = await row.load();
  const parsed = parseArguments(rest, process.env, command, {
    usage: isDefault ? "gen" : `gen ${row.name}`,
    summary: row.summary,
    version,
    others: isDefault
      ? commands.slice(1).filter(({ isHidden }) => isHidden !== true)
      : [],
  });
  if ("values" in parsed)
    return command.run(parsed.values, { cwd: process.cwd(), output });
  output.out(parsed.text);
  return 0;
}

/** Reports an error that a command has thrown; returns the exit code. */
export function reportError(error: unknown, sink: Sink): number {
  const code =
    error instanceof UsageError
      ? "usage"
      : error instanceof MissingPackageError
        ? "package-missing"
        : "internal";
  sink.report(code, textOf(error, code === "internal"));
  return catalogue[code].exit ?? 3;
}

/**
 * Returns the message of an error, or the stack trace if the error indicates a
 * bug.
 */
function textOf(error: unknown, isBug: boolean): string {
  if (!(error instanceof Error)) return String(error);
  return (isBug && error.stack) || error.message;
}

const SWITCHES: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  yes: true,
  on: true,
  "0": false,
  false: false,
  no: false,
  off: false,
};

/**
 * Returns the value of an option from its environment variable; undefined if
 * the variable is not set. Throws UsageError if the value is not allowed.
 */
function fromEnvironment(
  row: OptionRow,
  environment: NodeJS.ProcessEnv,
  prefix?: string,
): unknown {
  const variable = variableOf(row.name, prefix);
  const text = environment[variable];
  if (text === undefined || text === "") return undefined;
  const value = parseText(row, text);
  if (value !== undefined) return value;
  const choices = row.choices ?? Object.keys(SWITCHES);
  throw new UsageError(
    `${variable} must be one of ${choices.join(", ")}, found '${text}'`,
  );
}

/**
 * Parses the value of an option; undefined if the option does not allow the
 * value.
 */
function parseText(row: OptionRow, text: string): unknown {
  switch (row.kind) {
    case "switch":
      return Object.hasOwn(SWITCHES, text.toLowerCase())
        ? SWITCHES[text.toLowerCase()]
        : undefined;
    case "list":
      return splitList(text);
    case "choices":
      return parseChoices(text, row.choices!);
    case "choice":
      return row.choices!.includes(text) ? text : undefined;
    case "text":
      return text;
  }
}

/**
 * Splits a list at commas, but not within braces, which belong to a glob:
 * `a.{b,c}`.
 */
function splitList(text: string): string[] {
  return text.split(/,(?![^{}]*\})/).map((part) => part.trim());
}

/**
 * Result of parsing the arguments: option values, or text to print, such as the
 * help.
 */
type ParsedArguments =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** Parts of the `--help` text other than the options. */
interface HelpContext {
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
  for (const row of [...options, noConfigOption])
    program.addOption(optionOf(row));
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
  // Commander would store `--no-config` as the value false of `--config`.
  option.negate = false;
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
  const all = [...options, noConfigOption];
  for (const row of options) {
    const value =
      parsed[row.name] ??
      (isExcluded(row, parsed, all)
        ? undefined
        : fromEnvironment(row, environment, variables));
    if (value !== undefined) values[row.name] = value;
  }
  if (parsed[noConfigOption.name] === true) values[noConfigOption.name] = true;
  checkValues(all, values);
  return isLayered === true
    ? values
    : { ...values, ...completeValues(options, values) };
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
