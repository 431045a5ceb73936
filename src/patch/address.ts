import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import { pointerOf, tokensOf } from "../diagnostics/types.js";
import { documentDigest } from "../load/canonical.js";
import type { RawDocument } from "../load/raw.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";
import {
  hasMember,
  isEqual,
  ownerAt,
  valueAt,
  type Owner,
} from "./edit-json.js";
import type { PatchOperation } from "./patch-file.js";
import { OperationError, type PatchSession } from "./patch-session.js";

/**
 * Step from a schema to the schema of its list elements (`items`) or of its map
 * values (`additionalProperties`).
 */
type Step = "items" | "additionalProperties";

/** Name in an address, and the steps after it. */
interface Segment {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Parsed address of a value in a document. */
type Address =
  | { readonly pointer: readonly string[] }
  | {
      /**
       * First segment of the address: schemas, methods, parameters, resources
       * or document.
       */
      readonly root: string;
      readonly segments: readonly Segment[];
      /** Names after `#`, which are fields of the description format. */
      readonly fields: readonly string[];
    };

/**
 * Error for an address that can't be parsed. The message is a phrase without a
 * subject, such as "must be a JSON pointer".
 */
export class AddressError extends Error {}

/** Allowed first segments of addresses such as `schemas.File.name`. */
const ROOTS = [
  "schemas",
  "methods",
  "parameters",
  "resources",
  "document",
] as const;

/**
 * Pattern for a name in an address: a quoted name, or a name without dots,
 * quotes, brackets, braces, `#` or white space.
 */
const NAME = /"(?:[^"\\]|\\.)*"|[^."#[\]{}\s]+/y;

/**
 * Parses an address: a JSON pointer, or names separated by dots such as
 * `schemas.File.name`.
 * @throws AddressError if the text is neither
 */
export function parseAddress(text: string): Address {
  if (text.startsWith("/")) return { pointer: tokensOf(text) };
  const reader = new AddressReader(text);
  const { name: root, steps } = reader.segment();
  if (!(ROOTS as readonly string[]).includes(root) || steps.length > 0)
    throw new AddressError(
      `must be a JSON pointer or begin with ${ROOTS.join(", ")}`,
    );
  const segments: Segment[] = [];
  while (reader.take(".")) segments.push(reader.segment());
  const fields: string[] = [];
  if (reader.take("#"))
    do fields.push(reader.name());
    while (reader.take("."));
  if (!reader.isAtEnd) throw reader.error();
  const isEmpty = segments.length === 0;
  if (root === "document" ? !isEmpty : isEmpty)
    throw new AddressError(
      isEmpty
        ? `must have a name after ${root}`
        : "must have no names between document and #",
    );
  return { root, segments, fields };
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  segment(): Segment {
    const name = this.name();
    const steps: Step[] = [];
    for (;;) {
      if (this.take("[]")) steps.push("items");
      else if (this.take("{}")) steps.push("additionalProperties");
      else return { name, steps };
    }
  }

  name(): string {
    NAME.lastIndex = this.#at;
    const [raw] = NAME.exec(this.#text) ?? [];
    if (raw === undefined) throw this.error();
    this.#at += raw.length;
    if (!raw.startsWith('"')) return raw;
    try {
      return JSON.parse(raw) as string;
    } catch {
      throw this.error();
    }
  }

  error(): AddressError {
    return new AddressError(
      `must have a name, with or without quotes, at character ${this.#at + 1}`,
    );
  }
}

/**
 * Formats a name in an address. Names with characters that are part of the
 * address syntax are quoted.
 */
function quoteName(name: string): string {
  return /^[^."#[\]{}\s\u0000-\u001f]+$/.test(name)
    ? name
    : JSON.stringify(name);
}

/**
 * Returns the address of a location, such as `schemas.File.name`, or its JSON
 * pointer if no such address exists.
 */
export function addressOf(
  tokens: readonly string[],
  document: RawDocument,
  methods: readonly LocatedMethod[] = rawMethods(document),
): string {
  const pointer = pointerOf(tokens);
  const readable = readableAddress(tokens, methods);
  if (readable === undefined) return pointer === "" ? "document" : pointer;
  try {
    const target = resolveAddress(parseAddress(readable), document);
    return "tokens" in target && isSame(target.tokens, tokens)
      ? readable
      : pointer;
  } catch {
    return pointer;
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((token, at) => token === b[at]);
}

function readableAddress(
  tokens: readonly string[],
  methods: readonly LocatedMethod[],
): string | undefined {
  const method = methods.find(
    ({ path }) =>
      path.length <= tokens.length &&
      path.every((token, at) => token === tokens[at]),
  );
  if (method !== undefined) {
    const rest = tokens.slice(method.path.length);
    const id = method.id.split(".").map(quoteName).join(".");
    const isParameter = rest[0] === "parameters" && rest.length > 1;
    const isBody = rest[0] === "request" || rest[0] === "response";
    if (isParameter)
      return withProperties(
        `methods.${id}.parameters.${quoteName(rest[1]!)}`,
        rest.slice(2),
      );
    return isBody
      ? withProperties(`methods.${id}.${rest[0]}`, rest.slice(1))
      : withFields(`methods.${id}`, rest);
  }
  const [root, name] = tokens;
  if (root === undefined) return "document";
  if (name !== undefined && (root === "schemas" || root === "parameters"))
    return withProperties(`${root}.${quoteName(name)}`, tokens.slice(2));
  if (root === "schemas" || root === "resources") return undefined;
  return withFields("document", tokens);
}

function withProperties(start: string, tokens: readonly string[]): string {
  const [key, name] = tokens;
  if (key === "properties" && name !== undefined)
    return withProperties(`${start}.${quoteName(name)}`, tokens.slice(2));
  if (key === "items") return withProperties(`${start}[]`, tokens.slice(1));
  if (key === "additionalProperties")
    return withProperties(`${start}{}`, tokens.slice(1));
  return withFields(start, tokens);
}

function withFields(start: string, fields: readonly string[]): string {
  return fields.length === 0
    ? start
    : `${start}#${fields.map(quoteName).join(".")}`;
}

/**
 * Location to which an address refers. A value need not exist at the location.
 */
export interface Target {
  readonly tokens: readonly string[];
  /** Kind of the value if it can be renamed, otherwise `other`. */
  readonly kind:
    "schema" | "method" | "property" | "parameter" | "resource" | "other";
}

/**
 * Returns the location to which an address refers. If the address contains an
 * unknown method, returns its name, and the ids of all methods for a
 * suggestion.
 */
export function resolveAddress(
  address: Address,
  document: RawDocument,
): Target | { readonly missing: string; readonly names: readonly string[] } {
  if ("pointer" in address) return classify(address.pointer);
  const { root, segments, fields } = address;
  if (root !== "methods")
    return classify([...rootTokens(root, segments), ...fields]);
  const methods = rawMethods(document);
  const found = findMethod(segments, methods);
  if (found === undefined)
    return {
      missing: segments.map(({ name }) => name).join("."),
      names: methods.map(({ id }) => id),
    };
  return classify([...found, ...fields]);
}

function rootTokens(root: string, segments: readonly Segment[]): string[] {
  if (root === "resources")
    return segments.flatMap(({ name }) => ["resources", name]);
  const [first, ...rest] = segments;
  return first === undefined
    ? []
    : [root, first.name, ...first.steps, ...propertyTokens(rest)];
}

function propertyTokens(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ name, steps }) => ["properties", name, ...steps]);
}

/**
 * Finds the method whose id is the longest prefix of the segments; ids contain
 * dots. Returns the location in this method to which the remaining segments
 * refer.
 */
function findMethod(
  segments: readonly Segment[],
  methods: readonly LocatedMethod[],
): string[] | undefined {
  for (let count = segments.length; count > 0; count--) {
    const id = segments
      .slice(0, count)
      .map(({ name }) => name)
      .join(".");
    const found = methods.filter((method) => method.id === id);
    const [method] = found;
    const rest = segments.slice(count);
    if (method === undefined || found.length > 1) continue;
    const tokens = memberTokens(rest);
    if (tokens !== undefined) return [...method.path, ...tokens];
  }
  return undefined;
}

function memberTokens([first, ...rest]: readonly Segment[]):
  string[] | undefined {
  if (first === undefined) return [];
  const { name, steps } = first;
  if (name === "request" || name === "response")
    return [name, ...steps, ...propertyTokens(rest)];
  const [parameter, ...properties] = rest;
  if (name !== "parameters" || parameter === undefined || steps.length > 0)
    return undefined;
  return [
    "parameters",
    parameter.name,
    ...parameter.steps,
    ...propertyTokens(properties),
  ];
}

/**
 * Keys of objects in which the author of the document chooses the member names.
 */
const MEMBER_KINDS: Readonly<Record<string, Target["kind"]>> = {
  schemas: "schema",
  methods: "method",
  properties: "property",
  parameters: "parameter",
  resources: "resource",
};

/** Determines the kind of the value at a location. */
function classify(tokens: readonly string[]): Target {
  let kind: Target["kind"] = "other";
  for (let at = 0; at < tokens.length; at++) {
    const member = Object.hasOwn(MEMBER_KINDS, tokens[at]!)
      ? MEMBER_KINDS[tokens[at]!]!
      : "other";
    kind = "other";
    // The next token is skipped: it is a name that the author of the document
    // chose, and can equal a key of the format.
    if (member !== "other" && at + 1 < tokens.length) {
      kind = member;
      at++;
    }
  }
  return { tokens, kind };
}

type Json = Record<string, unknown>;

/**
 * Location to which an operation's address refers, and the object or array that
 * contains it.
 */
interface LocatedTarget extends Target {
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
