import { defaultOf, flagOf, type OptionRow } from "../generate/options.js";
import { UsageError } from "./command.js";

/** Option values, keyed by property name. */
export type Values = Readonly<Record<string, unknown>>;

/** Throws UsageError if a value is empty or if options conflict. */
export function checkValues(rows: readonly OptionRow[], values: Values): void {
  for (const { name, kind, excludes, value = "value" } of rows) {
    if (kind === "text" && values[name] === "")
      throw new UsageError(`<${value}> of ${flagOf(name)} must not be empty`);
    if (
      excludes !== undefined &&
      isSet(values[name]) &&
      isSet(values[excludes])
    )
      throw new UsageError(
        `${flagOf(excludes)} and ${flagOf(name)} can't be used together`,
      );
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/**
 * Adds the default values. Throws UsageError if a required option is missing,
 * or if an option conflicts with an option that has a default.
 */
export function completeValues(
  rows: readonly OptionRow[],
  values: Values,
): Record<string, unknown> {
  const complete: Record<string, unknown> = {};
  for (const row of rows) {
    const value = values[row.name] ?? defaultOf(row);
    if (value !== undefined) complete[row.name] = value;
  }
  for (const row of rows) checkRequired(row, complete);
  return complete;
}

function checkRequired(
  { name, required = false, value = "value" }: OptionRow,
  values: Values,
): void {
  const isReplaced =
    typeof required === "string" && values[required] !== undefined;
  if (required !== false && !isReplaced && values[name] === undefined)
    throw new UsageError(
      `required option '${flagOf(name)} <${value}>' is missing; see --help`,
    );
}
