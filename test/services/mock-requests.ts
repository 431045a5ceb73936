import type { Api, Method, Parameter } from "../../src/model/ir.js";
import { Random } from "../../src/mock/random.js";
import { patternText } from "../../src/runtime/conformance/pattern-text.js";
import { ValueMaker } from "../../src/mock/values.js";
import { methodsOf } from "../../src/model/queries.js";
import {
  compileParameter,
  InvalidValue,
} from "../../src/runtime/server/parameters/decoder.js";
import { rulesOf } from "../../src/targets/server/parameter-rules.js";

/** Valid request to a method of an API. */
export interface ValidRequest {
  readonly method: Method;
  readonly path: string;
  readonly init: RequestInit;
  /** Values of the parameters, keyed by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Returns a request to each method with valid parameters and body. */
export function validRequests(api: Api): ValidRequest[] {
  const maker = new ValueMaker(
    new Map(api.definitions.map((one) => [one.id, one])),
  );
  return methodsOf(api.root).map((method) => requestTo(method, api, maker));
}

/**
 * Returns a valid request to a method.
 *
 * @param known values of some parameters; the others are generated if the method
 *   requires them
 * @param body body of the request; generated if absent
 */
export function requestTo(
  method: Method,
  api: Api,
  maker: ValueMaker,
  known: Readonly<Record<string, string>> = {},
  body?: unknown,
): ValidRequest {
  const values: Record<string, string> = {};
  const value = (one: Parameter): string =>
    (values[one.name] = known[one.name] ?? valueOf(one, method, maker));
  const isNeeded = ({ name, flags, constraints }: Parameter): boolean =>
    Object.hasOwn(known, name) ||
    (flags.required !== undefined && constraints.default === undefined);
  const query = method.parameters
    .filter((one) => one.location === "query" && isNeeded(one))
    .map((one) => [one.name, value(one)] as [string, string]);
  const headers = (method.headers ?? [])
    .filter(isNeeded)
    .map((one) => [one.name, value(one)] as [string, string]);
  const path = method.tokens
    .map((token) => {
      if (token.kind === "verb") return `:${token.text}`;
      if (token.kind === "literal") return token.text.replace(/[?#].*$/s, "");
      if (token.operator === "?" || token.operator === "&") return "";
      const parameter = method.parameters.find(
        ({ name }) => name === token.name,
      );
      const text = parameter === undefined ? "x" : value(parameter);
      if (token.kind === "multi")
        return encodeURIComponent(text).replaceAll("%2F", "/");
      const start = token.operator ?? "";
      const named = start === ";" ? `;${token.name}=` : start;
      return named + encodeURIComponent(text);
    })
    .join("");
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : "";
  const isBodied = method.request !== undefined && method.httpMethod !== "GET";
  return {
    method,
    path: `/${api.servicePath}${path}${search}`,
    init: {
      method: method.httpMethod,
      headers: {
        ...Object.fromEntries(headers),
        ...(isBodied ? { "content-type": "application/json" } : {}),
      },
      ...(isBodied
        ? { body: JSON.stringify(body ?? bodyOf(method, api, maker)) }
        : {}),
    },
    values,
  };
}

/** Returns a body with the members that the method requires. */
function bodyOf(method: Method, api: Api, maker: ValueMaker): unknown {
  const value = maker.make(method.request!, method.id);
  const { paging } = method;
  // No response has issued a token yet.
  if (paging?.in === "body")
    delete (value as Record<string, unknown>)[paging.token];
  const body = { data: value };
  return api.features.includes("dataWrapper") ? body : value;
}

/** Returns a text that the server can decode. */
function valueOf(
  parameter: Parameter,
  method: Method,
  maker: ValueMaker,
): string {
  const { name, constraints, schema } = parameter;
  const { decode } = compileParameter(name, rulesOf(parameter, false));
  const inner = schema.kind === "list" ? schema.items : schema;
  const isFit = (text: string): boolean =>
    constraints.pattern === undefined || isPath(text);
  for (let attempt = 0; attempt < 10; attempt++) {
    const key = `${method.id}/${name}/${attempt}`;
    const place = { key, name, depth: 0, enclosing: [] };
    const random = new Random(key);
    const found = [
      constraints.pattern &&
        patternText(constraints.pattern, () => random.fraction()),
      String(maker.value(inner, constraints, place)),
    ].find(
      (text) => text && isFit(text) && !(decode(text) instanceof InvalidValue),
    );
    if (found) return found;
  }
  return "x";
}

/** Returns true if each segment of a text is non-empty; patterns also allow empty ones. */
function isPath(text: string): boolean {
  return text.split("/").every((segment) => segment !== "");
}
