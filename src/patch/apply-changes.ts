import {
  hasMember,
  indexOf,
  isEqual,
  removeMember,
  setMember,
} from "./edit-json.js";
import type { PatchOperation, PatchPosition } from "./patch-file.js";
import { OperationError, type PatchSession } from "./patch-session.js";
import { renameTarget } from "./rename.js";
import { checkExpectation, locate, missingTarget } from "./target.js";

type Json = Record<string, unknown>;

/** Applies the operation `add`: adds a member or a list element. */
export function applyAdd(
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
export function applyReplace(
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
export function applyRemove(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  const { at } = operation;
  const { owner, key, tokens, exists } = locate(operation, session);
  const isElement = Array.isArray(owner);
  session.write(tokens, by, isElement);
  if (!exists) {
    if (isElement) throw missingTarget(operation, tokens, session);
    throw new OperationError("upstream", `${at} was already removed`);
  }
  checkExpectation(operation, (owner as Json)[key]);
  removeMember(owner, key);
  if (!isElement) session.addRemoval(tokens, by);
}

/**
 * Applies the operation `rename`: renames a member and all references to it.
 */
export function applyRename(
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
