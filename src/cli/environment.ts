import { UsageError } from "./command.js";
import { variableOf, type OptionRow } from "../generate/options.js";

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

/** An option's value in the environment; undefined where it is not set. Throws UsageError. */
export function fromEnvironment(
  row: OptionRow,
  environment: NodeJS.ProcessEnv,
  prefix?: string,
): unknown {
  const variable = variableOf(row.name, prefix);
  const text = environment[variable];
  if (text === undefined || text === "") return undefined;
  const value = read(row, text);
  if (value !== undefined) return value;
  const choices = row.choices ?? Object.keys(SWITCHES);
  throw new UsageError(
    `${variable} is '${text}'; allowed choices are ${choices.join(", ")}`,
  );
}

/** Undefined for a value that the option does not allow. */
function read(row: OptionRow, text: string): unknown {
  switch (row.kind) {
    case "switch":
      return Object.hasOwn(SWITCHES, text.toLowerCase())
        ? SWITCHES[text.toLowerCase()]
        : undefined;
    case "list":
      return text.split(",").map((part) => part.trim());
    case "choices":
      return parseChoices(text, row.choices!);
    case "choice":
      return row.choices!.includes(text) ? text : undefined;
    case "text":
      return text;
  }
}

/** Names separated by commas; undefined where one is unknown. */
export function parseChoices(
  value: string,
  choices: readonly string[],
): string[] | undefined {
  const names = value.split(",").map((name) => name.trim());
  return names.every((name) => choices.includes(name)) ? names : undefined;
}
