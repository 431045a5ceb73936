import { UsageError } from "./command.js";
import {
  parseChoices,
  variableOf,
  type OptionRow,
} from "../generate/options.js";

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
export function fromEnvironment(
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
