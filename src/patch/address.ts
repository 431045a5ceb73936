import { escapeToken, tokensOf } from "../diagnostics/types.js";
import type { RawDocument } from "../load/raw.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";

/** Step from a schema to the schema of its elements or of its map values. */
type Step = "items" | "additionalProperties";

interface Segment {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Parsed address of a part of a document. */
export type Address =
  | { readonly pointer: readonly string[] }
  | {
      /** First segment: schemas, methods, parameters, resources or document. */
      readonly root: string;
      readonly segments: readonly Segment[];
      /** Names after `#`: fields of the format. */
      readonly fields: readonly string[];
    };

/** Address that can't be parsed; the message is a clause without a subject. */
export class AddressError extends Error {}

/** Roots of readable addresses. */
export const ROOTS = [
  "schemas",
  "methods",
  "parameters",
  "resources",
  "document",
] as const;

/** A name in quotes, or characters without a meaning in addresses. */
const NAME = /"(?:[^"\\]|\\.)*"|[^."#[\]{}\s]+/y;

/**
 * Parses an address: a JSON pointer, or names separated by dots such as
 * `schemas.File.name`.
 * @throws AddressError
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
      `must have a name or a name in quotes at character ${this.#at + 1}`,
    );
  }
}

/** Part of a document that an address names; it need not exist. */
export interface Target {
  readonly tokens: readonly string[];
  /** Kind of the part, if the address names one that can be renamed. */
  readonly kind:
    "schema" | "method" | "property" | "parameter" | "resource" | "other";
}

/**
 * Returns the target of an address; for an address of a method that does not
 * exist, the ids of all methods.
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
 * Finds the method with the longest id that begins the segments, since ids
 * contain dots. Returns the tokens of the part of the method that the other
 * segments name.
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

/** Keys of objects whose members have names that the document chooses. */
const MEMBER_KINDS: Readonly<Record<string, Target["kind"]>> = {
  schemas: "schema",
  methods: "method",
  properties: "property",
  parameters: "parameter",
  resources: "resource",
};

/** Determines the kind of a target from its location. */
function classify(tokens: readonly string[]): Target {
  let kind: Target["kind"] = "other";
  for (let at = 0; at < tokens.length; at++) {
    const member = Object.hasOwn(MEMBER_KINDS, tokens[at]!)
      ? MEMBER_KINDS[tokens[at]!]!
      : "other";
    kind = "other";
    // The next token is a name, which can equal a key of the format.
    if (member !== "other" && at + 1 < tokens.length) {
      kind = member;
      at++;
    }
  }
  return { tokens, kind };
}

/** Formats a name for an address. */
function quoteName(name: string): string {
  return /^[^."#[\]{}\s\u0000-\u001f]+$/.test(name)
    ? name
    : JSON.stringify(name);
}

/**
 * Returns the readable address of a location, or its JSON pointer if it has
 * none.
 */
export function addressOf(
  tokens: readonly string[],
  document: RawDocument,
  methods: readonly LocatedMethod[] = rawMethods(document),
): string {
  const pointer = tokens.map((token) => `/${escapeToken(token)}`).join("");
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
