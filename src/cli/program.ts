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
import { fromEnvironment, parseChoices } from "./environment.js";
import { flagOf, type OptionRow } from "../generate/options.js";

/** What came of the command line: values, or text to print. */
export type ParsedArguments =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** What is shown beside the options of the command at hand. */
export interface HelpContext {
  /** `gen`, or `gen list`. */
  readonly usage: string;
  readonly summary: string;
  readonly version: string;
  /** Further commands, for --help. */
  readonly others: readonly CommandRow[];
}

/** The command that the first words name, and what follows. Throws UsageError. */
export function chooseCommand(
  args: readonly string[],
  commands: readonly [CommandRow, ...CommandRow[]],
): { readonly row: CommandRow; readonly rest: readonly string[] } {
  const [first = "--help"] = args;
  if (first.startsWith("-")) return { row: commands[0], rest: args };
  for (const words of [3, 2, 1]) {
    const name = args.slice(0, words).join(" ");
    const row = commands.find((candidate) => candidate.name === name);
    if (row !== undefined) return { row, rest: args.slice(words) };
  }
  const names = commands.map(({ name }) => name);
  const family = names.filter((name) => name.startsWith(`${first} `));
  if (family.length > 0)
    throw new UsageError(`'${first}' needs one of: ${family.join(", ")}`);
  throw new UsageError(
    `unknown command '${first}'${suggestion(first, names)}; see --help`,
  );
}

/** Reads a command's arguments; the environment fills in what they leave out. Throws UsageError. */
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
  const values = complete(program.opts(), environment, command);
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
    .helpOption("--help", "print this")
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

/** As --help shows them: `<file...>`, or `[service...]` where they may be left out. */
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
  // The environment comes before the default, which commander must not know.
  if (row.default !== undefined) option.default(undefined, String(row.default));
  return option;
}

/** A suggestion for the first name that is none of the choices. */
function unknownOf(value: string, choices: readonly string[]): string {
  const unknown = value.split(",").find((one) => !choices.includes(one.trim()));
  return suggestion(unknown?.trim() ?? "", choices);
}

/** Command line before environment before defaults. */
function complete(
  given: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
  { options, variables }: Command,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const row of options) {
    const value =
      given[row.name] ??
      fromEnvironment(row, environment, variables) ??
      defaultOf(row);
    if (value !== undefined) values[row.name] = value;
  }
  for (const row of options) refuseMismatch(row, values);
  return values;
}

function refuseMismatch(
  row: OptionRow,
  values: Readonly<Record<string, unknown>>,
): void {
  const { name, required, excludes, value = "value" } = row;
  const isExcused =
    typeof required === "string" && values[required] !== undefined;
  if (required !== undefined && !isExcused && values[name] === undefined)
    throw new UsageError(
      `required option '${flagOf(name)} <${value}>' is missing; see --help`,
    );
  if (row.kind === "text" && values[name] === "")
    throw new UsageError(
      `${flagOf(name)} needs a <${value}> that is not empty`,
    );
  const isClash =
    excludes !== undefined &&
    values[name] === true &&
    values[excludes] === true;
  if (isClash)
    throw new UsageError(
      `${flagOf(excludes)} and ${flagOf(name)} exclude each other`,
    );
}

function defaultOf(row: OptionRow): unknown {
  return row.kind === "choices" ? [row.default] : row.default;
}
