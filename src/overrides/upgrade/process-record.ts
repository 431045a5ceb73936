import { isObject } from "../../diagnostics/json.js";
import { processState, type ProcessIdentity } from "../../platform/process.js";

/** Tests whether a JSON value is a valid process id with a start time. */
export function isProcess(value: unknown): value is ProcessIdentity {
  return (
    isObject(value) &&
    Number.isSafeInteger(value["pid"]) &&
    (value["pid"] as number) >= 1 &&
    typeof value["started"] === "string" &&
    Object.keys(value).length === 2
  );
}

/** Tests whether a recorded process could still be running. */
export function isAlive(record: ProcessIdentity): boolean {
  return processState(record) !== "ended";
}
