import type { Definition, Method, Operation } from "../ir.js";
import { objectFields } from "./paging.js";

/**
 * Whether a method starts a long-running operation: its response is a schema
 * called Operation that tells whether it is done, by a flag or by a status.
 */
export function detectOperation(
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
): Operation | undefined {
  const { response } = method;
  if (response?.kind !== "ref" || !response.id.endsWith("Operation"))
    return undefined;
  const names = new Set(
    objectFields(response, definitions).map((field) => field.name),
  );
  if (names.has("done") && names.has("name")) return { style: "done" };
  if (names.has("status") && names.has("name") && names.has("selfLink"))
    return { style: "status" };
  return undefined;
}
