import { suggestion } from "../diagnostics/closest.js";
import { parseChoices, type OptionRow } from "../generate/options.js";

/**
 * Checked value, or a description of the expected value for the error message.
 */
export type CheckedValue =
  { readonly value: unknown } | { readonly expected: string };

/**
 * Checks the value of a config key. A string that is allowed instead of a list
 * is converted to an array.
 */
export function checkValue(row: OptionRow, value: unknown): CheckedValue {
  switch (row.kind) {
    case "switch":
      return typeof value === "boolean"
        ? { value }
        : { expected: "true or false" };
    case "text":
      return isText(value) ? { value } : { expected: "a non-empty string" };
    case "choice":
      return row.choices!.includes(value as string)
        ? { value }
        : { expected: `one of ${namesOf(row, value)}` };
    case "list":
      return listOf(value, "a list of non-empty strings", isText);
    case "choices": {
      const list = typeof value === "string" ? value.split(",") : value;
      const names =
        Array.isArray(list) && list.length > 0 && list.every(isText)
          ? parseChoices(list.join(","), row.choices!)
          : undefined;
      return names === undefined
        ? { expected: `a list of ${namesOf(row, list)}` }
        : { value: names };
    }
  }
}

function listOf(
  value: unknown,
  expected: string,
  isElement: (element: unknown) => boolean,
): CheckedValue {
  const list: unknown = isElement(value) ? [value] : value;
  return Array.isArray(list) && list.every(isElement)
    ? { value: [...(list as unknown[])] }
    : { expected };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}

/**
 * Returns the allowed choices, with a suggestion for the first unknown choice.
 */
function namesOf({ choices = [] }: OptionRow, value: unknown): string {
  const unknown = [value]
    .flat()
    .map((name) => (typeof name === "string" ? name.trim() : name))
    .find((name) => !choices.includes(name as string));
  const hint = typeof unknown === "string" ? suggestion(unknown, choices) : "";
  return `${choices.join(", ")}${hint}`;
}

/** Describes a value in a message without revealing its content. */
export function describeValue(value: unknown): string {
  if (typeof value === "string")
    return value.length > 60
      ? `a string of ${value.length} characters`
      : JSON.stringify(value);
  if (value === null || typeof value === "boolean" || typeof value === "number")
    return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
