import { pointerOf } from "../diagnostics/types.js";
import type { RawDocument } from "../load/raw.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";
import { parseAddress } from "./address.js";
import { resolveAddress } from "./resolve-address.js";

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
