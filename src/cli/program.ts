import {
  Command,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import {
  flagOf,
  options,
  UsageError,
  variableOf,
  type OptionRow,
  type OptionValues,
} from "./options.js";

const SUMMARY =
  "Generates typed TypeScript from API description documents (discovery#restDescription).";

const EXIT_CODES = `
Exit codes:
  0  done, or up to date
  1  --check found the output not up to date
  2  bad usage, or the output can't be written
  3  a description can't be used; the others are done
  5  a bug in the generator`;

/** What came of the command line: values, or text and an exit code. */
export type Parsed =
  | { readonly values: OptionValues }
  | { readonly text: string; readonly exitCode: number };

/** Reads the command line; the environment fills in what it leaves out. */
export function parseCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Parsed {
  let text = "";
  const program = new Command("gen")
    .description(SUMMARY)
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (out) => (text += out),
      writeErr: (out) => (text += out),
    })
    .addHelpText("after", EXIT_CODES);
  for (const row of options) program.addOption(optionOf(row));
  try {
    program.parse(args, { from: "user" });
    return { values: complete(program.opts(), environment) };
  } catch (error) {
    if (error instanceof CommanderError)
      return { text, exitCode: error.exitCode === 0 ? 0 : 2 };
    if (error instanceof UsageError)
      return { text: `error: ${error.message}\n`, exitCode: 2 };
    throw error;
  }
}

function optionOf(row: OptionRow): Option {
  const flags =
    row.kind === "switch"
      ? flagOf(row.name)
      : `${flagOf(row.name)} <${row.value ?? "value"}>`;
  const option = new Option(
    row.kind === "list" ? `${flags.slice(0, -1)}...>` : flags,
    row.description,
  );
  if (row.kind === "choice") option.choices([...row.choices!]);
  if (row.kind === "choices")
    option.argParser((value: string) => parseChoices(value, row.choices!));
  if (row.kind === "list")
    option.argParser((value: string, before: string[] = []) => [
      ...before,
      value,
    ]);
  if (row.default !== undefined) option.default(undefined, String(row.default));
  return option;
}

function parseChoices(value: string, choices: readonly string[]): string[] {
  const names = value.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !choices.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `Allowed choices are ${choices.join(", ")}.`,
    );
  return names;
}

/** Command line before environment before defaults. */
function complete(
  given: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): OptionValues {
  const values: Record<string, unknown> = {};
  for (const row of options) {
    const value =
      given[row.name] ??
      fromEnvironment(row, environment[variableOf(row.name)]) ??
      defaultOf(row);
    if (value !== undefined) values[row.name] = value;
  }
  if (values["spec"] === undefined)
    throw new UsageError(
      "required option '--spec <source>' is missing; see --help",
    );
  if (values["out"] === undefined && values["dump"] === undefined) {
    throw new UsageError(
      "required option '--out <dir>' is missing; see --help",
    );
  }
  if (values["check"] === true && values["dryRun"] === true)
    throw new UsageError("--check and --dry-run exclude each other");
  return values as unknown as OptionValues;
}

function defaultOf(row: OptionRow): unknown {
  return row.kind === "choices" ? [row.default] : row.default;
}

function fromEnvironment(row: OptionRow, text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  switch (row.kind) {
    case "switch":
      return !["0", "false", "no"].includes(text.toLowerCase());
    case "list":
      return text.split(",").map((part) => part.trim());
    case "choices":
      return parseChoices(text, row.choices!);
    case "choice":
      if (row.choices!.includes(text)) return text;
      throw new UsageError(
        `${variableOf(row.name)} must be one of ${row.choices!.join(", ")}`,
      );
    case "text":
      return text;
  }
}
