import { isObject } from "./json.js";
import { catalogue, type Code } from "./catalogue.js";
import type { Diagnostic } from "./types.js";

/**
 * Finding about a document without the parts that the catalogue and the name of
 * the document determine. A cache stores findings in this form.
 */
export type StoredFinding = Pick<
  Diagnostic,
  "code" | "message" | "pointer" | "line" | "column"
>;

/** Returns the part of a finding that must be stored. */
export function storedFinding({
  code,
  message,
  pointer,
  line,
  column,
}: Diagnostic): StoredFinding {
  return {
    code,
    message,
    ...(pointer === undefined ? {} : { pointer }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/**
 * Returns a stored finding with severity, cause and fix from the catalogue.
 * @param file name of the document in this run
 */
export function restoredFinding(
  { code, message, ...position }: StoredFinding,
  file: string,
): Diagnostic {
  const { severity, cause, fix } = catalogue[code as Code];
  return { code, severity, message, cause, fix, file, ...position };
}

/** Returns whether a value is a list of stored findings with known codes. */
export function areStoredFindings(
  value: unknown,
): value is readonly StoredFinding[] {
  return Array.isArray(value) && value.every(isStoredFinding);
}

function isStoredFinding(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value["code"] === "string" &&
    Object.hasOwn(catalogue, value["code"]) &&
    typeof value["message"] === "string" &&
    ["undefined", "string"].includes(typeof value["pointer"]) &&
    ["undefined", "number"].includes(typeof value["line"]) &&
    ["undefined", "number"].includes(typeof value["column"])
  );
}
