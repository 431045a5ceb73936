import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import type { RawMethod } from "../load/raw.js";
import type { Target } from "./resolve-address.js";
import {
  hasMember,
  isEqual,
  removeMember,
  setMember,
  valueAt,
} from "./edit-json.js";
import type { PatchOperation, PatchPosition } from "./patch-file.js";
import { OperationError, type PatchSession } from "./patch-session.js";
import { methodIds } from "./rename.js";
import { checkExpectation, nodeOf, targetOf } from "./target.js";

type Json = Record<string, unknown>;

/** Sets a field of the object at the operation's address. */
export function setField(
  field: string,
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
  kind?: Target["kind"],
): void {
  const { at, value } = operation;
  const [node, tokens] = nodeOf(operation, session, kind);
  session.write([...tokens, field], by);
  const current = hasMember(node, field) ? node[field] : undefined;
  if (isEqual(current, value))
    throw new OperationError(
      "upstream",
      `the field ${field} of ${at} already has this value`,
    );
  checkExpectation(operation, current);
  setMember(node, field, value);
}

/**
 * Sets a boolean field of the object at the operation's address to true, or
 * removes the field.
 */
export function setFlag(
  field: string,
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const [node, tokens] = nodeOf(operation, session);
  const isOn = operation.value !== false;
  session.write([...tokens, field], by);
  if ((node[field] === true) === isOn)
    throw new OperationError(
      "upstream",
      `${operation.at} ${isOn ? "already has" : "does not have"} the flag ${field}`,
    );
  if (isOn) setMember(node, field, true);
  else removeMember(node, field);
}

/**
 * Marks a property or parameter as required. Documents declare this in the
 * field `required`, in `parameterOrder` or in `annotations.required`.
 */
export function requireField(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  if (operation.methods !== undefined) {
    requireIn(operation, operation.methods, session, by);
    return;
  }
  const { kind, tokens } = targetOf(operation, session);
  const method = valueAt(session.document, tokens.slice(0, -2));
  const order =
    isObject(method) && kind === "parameter"
      ? (method as RawMethod).parameterOrder
      : undefined;
  const name = tokens.at(-1)!;
  const isOrdered = order?.includes(name) === true;
  if (!isOrdered) {
    setFlag("required", operation, session, by);
    return;
  }
  const [node] = nodeOf(operation, session);
  session.write([...tokens, "required"], by);
  if (operation.value !== false)
    throw new OperationError("upstream", `${operation.at} is already required`);
  removeMember(node, "required");
  setMember(
    method as Json,
    "parameterOrder",
    order!.filter((other) => other !== name),
  );
}

/**
 * Adds ids of methods that require a property to its field
 * `annotations.required`.
 */
function requireIn(
  operation: PatchOperation,
  methods: readonly string[],
  session: PatchSession,
  by: PatchPosition,
): void {
  const [node, tokens] = nodeOf(operation, session, "property");
  const ids = methodIds(session.document);
  const unknown = methods.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new OperationError(
      "stale",
      `no method has the id ${JSON.stringify(unknown)}${suggestion(unknown, ids)}`,
    );
  const annotations = isObject(node["annotations"]) ? node["annotations"] : {};
  const before = Array.isArray(annotations["required"])
    ? (annotations["required"] as readonly string[])
    : [];
  session.write([...tokens, "annotations", "required"], by);
  const isOn = operation.value !== false;
  const after = isOn
    ? [...new Set([...before, ...methods])]
    : before.filter((id) => !methods.includes(id));
  if (after.length === before.length)
    throw new OperationError(
      "upstream",
      `${operation.at} ${isOn ? "is already required" : "is not required"} by the listed methods`,
    );
  setMember(node, "annotations", { ...annotations, required: after });
}

/** Sets the result schema of a long-running operation. */
export function setOperation(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const { response } = operation.value as { readonly response: string };
  const schemas = session.document.schemas ?? {};
  if (!Object.hasOwn(schemas, response))
    throw new OperationError(
      "stale",
      `no schema has the name ${JSON.stringify(response)}${suggestion(response, Object.keys(schemas))}`,
    );
  setField("x-operation", operation, session, by, "method");
}
