import type { RawDocument } from "../load/raw.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";
import type { Address, Segment } from "./address.js";

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
