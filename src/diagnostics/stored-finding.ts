import { isObject } from "./json.js";
import { catalogue, type Code } from "./catalogue.js";
import type { Diagnostic } from "./types.js";

/**
 * Finding in the form in which caches store it. Members that can be restored
 * from the catalogue or from the name of the document are omitted.
 */
export type StoredFinding = Pick<
  Diagnostic,
  "code" | "message" | "file" | "pointer" | "line" | "column"
>;

/**
 * Returns the members that are stored for a finding.
 * @param document name of the document in this run; the name is not stored
 */
export function storedFinding(
  { code, message, file, pointer, line, column }: Diagnostic,
  document: string,
): StoredFinding {
  return {
    code,
    message,
    ...(file === undefined || file === document ? {} : { file }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/**
 * Returns a stored finding with severity, cause and fix from the catalogue.
 * @param document name of the document in this run
 */
export function restoredFinding(
  { code, message, file, ...position }: StoredFinding,
  document: string,
): Diagnostic {
  const { severity, cause, fix } = catalogue[code as Code];
  const name = file ?? document;
  return { code, severity, message, cause, fix, file: name, ...position };
}

/** Tests whether a value is a list of stored findings with known codes. */
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
    isOptional(value["file"], "string") &&
    isOptional(value["pointer"], "string") &&
    isOptional(value["line"], "number") &&
    isOptional(value["column"], "number")
  );
}

function isOptional(value: unknown, type: "string" | "number"): boolean {
  return value === undefined || typeof value === type;
}
