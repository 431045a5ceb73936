import { closest, suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import type { RawMethod } from "../load/raw.js";
import { MethodGlob } from "../model/method-glob.js";
import { rawMethods } from "../model/raw-methods.js";
import {
  hasMember,
  indexOf,
  isEqual,
  removeMember,
  setMember,
  valueAt,
} from "./edit-json.js";
import type { OperationKind } from "./operation-table.js";
import type { PatchOperation, PatchPosition } from "./patch-file.js";
import { OperationError, type PatchSession } from "./patch-session.js";
import { methodIds, renameTarget } from "./rename.js";
import {
  checkExpectation,
  formatValue,
  locate,
  missingTarget,
  nodeOf,
  targetOf,
  type Target,
} from "./address.js";

/**
 * Function that applies an operation. Throws OperationError if the document
 * does not match the operation.
 */
type Apply = (
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
) => void;

/**
 * Applies an operation to a document.
 * @throws OperationError if the document does not match the operation
 */
export function applyOperation(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  APPLY[operation.kind](operation, session, by);
}

const APPLY: Readonly<Record<OperationKind, Apply>> = {
  add: applyAdd,
  replace: applyReplace,
  remove: applyRemove,
  rename: applyRename,
  describe: (operation, session, by) =>
    setField("description", operation, session, by),
  require: requireField,
  readOnly: (operation, session, by) =>
    setFlag("readOnly", operation, session, by),
  deprecate: (operation, session, by) =>
    setFlag("deprecated", operation, session, by),
  paging: (operation, session, by) =>
    setField("x-paging", operation, session, by, "method"),
  operation: setOperation,
  scopes: addScopes,
};

type Json = Record<string, unknown>;

/** Applies the operation `add`: adds a member or a list element. */
function applyAdd(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const { at, value } = operation;
  const { owner, key, tokens, exists } = locate(operation, session);
  if (Array.isArray(owner)) {
    addElement(operation, owner, tokens, session, by);
    return;
  }
  if (exists) {
    session.write(tokens, by);
    if (isEqual(owner[key], value))
      throw new OperationError("upstream", `${at} already has this value`);
    throw new OperationError(
      "stale",
      `${at} already exists with a different value`,
    );
  }
  session.write(tokens, by);
  setMember(owner, key, value);
}

function addElement(
  { at, value }: PatchOperation,
  owner: unknown[],
  tokens: readonly string[],
  session: PatchSession,
  by: PatchPosition,
): void {
  const last = tokens.at(-1)!;
  const index = last === "-" ? owner.length : indexOf(last);
  if (index === undefined || index > owner.length)
    throw new OperationError(
      "stale",
      `${at} must end with an index of at most ${owner.length}, or with -`,
    );
  const isUpstream =
    last === "-"
      ? owner.some((element) => isEqual(element, value))
      : isEqual(owner[index], value);
  if (isUpstream)
    throw new OperationError("upstream", `${at} already has this value`);
  session.write([...tokens.slice(0, -1), String(index)], by, true);
  owner.splice(index, 0, structuredClone(value));
}

/** Applies the operation `replace`: replaces an existing value. */
function applyReplace(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const { at, value } = operation;
  const { owner, key, tokens, exists } = locate(operation, session);
  if (!exists) throw missingTarget(operation, tokens, session);
  session.write(tokens, by, Array.isArray(owner));
  const current = (owner as Json)[key];
  if (isEqual(current, value))
    throw new OperationError("upstream", `${at} already has this value`);
  checkExpectation(operation, current);
  setMember(owner, key, value);
}

/** Applies the operation `remove`: removes an existing value. */
function applyRemove(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const { at } = operation;
  const { owner, key, tokens, exists } = locate(operation, session);
  const isElement = Array.isArray(owner);
  session.write(tokens, by, isElement);
  if (!exists) {
    // Without a value that existed when the patch was written, a similar name is
    // more probably a typing error than a change of the authors.
    if (isElement || (!hasExpectation(operation) && isSimilar(key, owner)))
      throw missingTarget(operation, tokens, session);
    throw new OperationError("upstream", `${at} was already removed`);
  }
  checkExpectation(operation, (owner as Json)[key]);
  removeMember(owner, key);
  if (!isElement) session.addRemoval(tokens, by);
}

/** Tests whether an operation contains the value before the change. */
function hasExpectation({ expect, expectDigest }: PatchOperation): boolean {
  return expect !== undefined || expectDigest !== undefined;
}

/** Tests whether an object has a member whose name is similar to a missing one. */
function isSimilar(name: string, owner: Json): boolean {
  return closest(name, Object.keys(owner).slice(0, 1_000)) !== undefined;
}

/**
 * Applies the operation `rename`: renames a member and all references to it.
 */
function applyRename(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const { at, to = "" } = operation;
  const located = locate(operation, session);
  const { owner, tokens, kind, exists } = located;
  if (kind === "other" || Array.isArray(owner))
    throw new OperationError(
      "stale",
      `${at} can't be renamed; expected a schema, property, parameter, method or resource`,
    );
  const isTaken = hasMember(owner, to);
  if (!exists && isTaken)
    throw (
      session.removalOf(tokens) ??
      new OperationError("upstream", `${at} was already renamed to ${to}`)
    );
  if (!exists) throw missingTarget(operation, tokens, session);
  if (isTaken)
    throw new OperationError(
      "stale",
      `${at} can't be renamed to ${to}, because ${to} already exists`,
    );
  renameTarget(session.document, located, to);
  session.rename(tokens, [...tokens.slice(0, -1), to], by);
}

/** Sets a field of the object at the operation's address. */
function setField(
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
function setFlag(
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
function requireField(
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
function setOperation(
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

/** Declares OAuth scopes, and adds them to all methods that match a glob. */
function addScopes(
  { at, value }: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const document = session.document as Json;
  const glob = new MethodGlob(at);
  const methods = rawMethods(session.document).filter(({ id }) =>
    glob.matchesBelow(id),
  );
  if (methods.length === 0)
    throw new OperationError(
      "stale",
      `the glob ${JSON.stringify(at)} matches no method id${suggestion(at, methodIds(session.document))}`,
    );
  const added = Object.entries(value as Readonly<Record<string, string>>);
  const declared = session.document.auth?.oauth2?.scopes ?? {};
  let isChanged = false;
  for (const [scope, description] of added) {
    const known = Object.hasOwn(declared, scope) ? declared[scope] : undefined;
    if (known !== undefined && known.description !== description)
      throw new OperationError(
        "stale",
        `the scope ${scope} already has a different description: ${formatValue(known.description)}`,
      );
    isChanged ||= known === undefined;
    isChanged ||= methods.some(
      ({ raw }) => raw.scopes?.includes(scope) !== true,
    );
  }
  if (!isChanged)
    throw new OperationError(
      "upstream",
      `the methods that match ${at} already have these scopes`,
    );
  const scopes = { ...declared };
  for (const [scope, description] of added)
    setMember(scopes as Json, scope, { description });
  setMember(document, "auth", {
    ...session.document.auth,
    oauth2: { ...session.document.auth?.oauth2, scopes },
  });
  for (const [scope] of added)
    session.origins.addWrite(["auth", "oauth2", "scopes", scope], by);
  for (const { raw, path } of methods) {
    const all = [...(raw.scopes ?? []), ...added.map(([scope]) => scope)];
    setMember(raw as unknown as Json, "scopes", [...new Set(all)].sort());
    session.origins.addWrite([...path, "scopes"], by);
  }
}
