import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import { pointerOf } from "../diagnostics/types.js";
import { documentDigest } from "../load/canonical.js";
import { parseAddress } from "./address.js";
import { resolveAddress, type Target } from "./resolve-address.js";
import {
  hasMember,
  isEqual,
  ownerAt,
  valueAt,
  type Owner,
} from "./edit-json.js";
import type { PatchOperation } from "./patch-file.js";
import { OperationError, type PatchSession } from "./patch-session.js";

type Json = Record<string, unknown>;

/**
 * Location to which an operation's address refers, and the object or array that
 * contains it.
 */
export interface LocatedTarget extends Target {
  readonly owner: Owner;
  /** Key of the location in the object or array that contains it. */
  readonly key: string;
  readonly exists: boolean;
}

/** Returns the location to which an operation's address refers. */
export function targetOf(
  { at }: PatchOperation,
  { document }: PatchSession,
): Target {
  const target = resolveAddress(parseAddress(at), document);
  if ("tokens" in target) return target;
  throw new OperationError(
    "stale",
    `${at} does not exist: no method has the id ${JSON.stringify(target.missing)}${suggestion(target.missing, target.names)}`,
  );
}

/**
 * Returns the location to which an operation's address refers. Throws
 * OperationError unless the object or array that contains the location exists.
 */
export function locate(
  operation: PatchOperation,
  session: PatchSession,
): LocatedTarget {
  const target = targetOf(operation, session);
  const { tokens } = target;
  const owner = ownerAt(session.document, tokens);
  const key = tokens.at(-1);
  if (key === undefined)
    throw new OperationError(
      "stale",
      "an operation must change a value in the document, not the entire document",
    );
  if (owner === undefined) throw missingTarget(operation, tokens, session);
  return { ...target, owner, key, exists: hasMember(owner, key) };
}

/**
 * Returns an error about a missing location. The message contains the nearest
 * existing ancestor.
 */
export function missingTarget(
  { at }: PatchOperation,
  tokens: readonly string[],
  session: PatchSession,
): OperationError {
  const removal = session.removalOf(tokens);
  if (removal !== undefined) return removal;
  let count = 0;
  while (
    count < tokens.length &&
    valueAt(session.document, tokens.slice(0, count + 1)) !== undefined
  )
    count++;
  const ancestor = valueAt(session.document, tokens.slice(0, count));
  const name = tokens[count] ?? "";
  const names = isObject(ancestor) ? Object.keys(ancestor) : [];
  const place =
    count === 0 ? "the document" : pointerOf(tokens.slice(0, count));
  return new OperationError(
    "stale",
    `${at} does not exist: ${place} has no member ${JSON.stringify(name)}${suggestion(name, names.slice(0, 1_000))}`,
  );
}

/** Returns the object whose fields an operation changes. */
export function nodeOf(
  operation: PatchOperation,
  session: PatchSession,
  kind?: Target["kind"],
): [node: Json, tokens: readonly string[]] {
  const target = targetOf(operation, session);
  const node = valueAt(session.document, target.tokens);
  if (node === undefined)
    throw missingTarget(operation, target.tokens, session);
  if (!isObject(node) || (kind !== undefined && target.kind !== kind))
    throw new OperationError(
      "stale",
      `${operation.at} must be ${kind === undefined ? "an object" : `a ${kind}`}`,
    );
  return [node, target.tokens];
}

/**
 * Compares the value before the change with `expect` and `expectDigest`.
 * @throws OperationError if the value differs
 */
export function checkExpectation(
  operation: PatchOperation,
  current: unknown,
): void {
  const { at, expect, expectDigest } = operation;
  if ("expect" in operation && !isEqual(expect, current))
    throw new OperationError(
      "stale",
      `${at} must be ${formatValue(expect)}, found ${formatValue(current)}`,
    );
  if (expectDigest === undefined) return;
  const digest = valueDigest(current);
  if (!digest.startsWith(expectDigest.toLowerCase()))
    throw new OperationError(
      "stale",
      `${at} must have the digest ${expectDigest}, found ${digest.slice(0, expectDigest.length)}`,
    );
}

/** Returns the SHA-256 of a value as JSON with sorted keys, in hexadecimal. */
export function valueDigest(value: unknown): string {
  return documentDigest([value]);
}

/** Formats a value in at most 80 characters. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
