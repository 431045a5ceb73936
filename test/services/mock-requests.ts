import type { Api, Method, Parameter } from "../../src/model/ir.js";
import { Random } from "../../src/mock/random.js";
import { patternText } from "../../src/runtime/conformance/pattern-text.js";
import { ValueMaker } from "../../src/mock/values.js";
import { methodsOf } from "../../src/model/queries.js";
import { compileParameter, Fault } from "../../src/runtime/server/parameter.js";
import { rulesOf } from "../../src/targets/server/parameters.js";

/** A request that a method of an API takes. */
export interface ValidRequest {
  readonly method: Method;
  readonly path: string;
  readonly init: RequestInit;
}

/** One request to each method, with parameters and a body that fit. */
export function validRequests(api: Api): ValidRequest[] {
  const maker = new ValueMaker(
    new Map(api.definitions.map((one) => [one.id, one])),
  );
  return methodsOf(api.root).map((method) => requestTo(method, api, maker));
}

function requestTo(method: Method, api: Api, maker: ValueMaker): ValidRequest {
  const value = (one: Parameter): string => valueOf(one, method, maker);
  const isNeeded = ({ flags, constraints }: Parameter): boolean =>
    flags.required !== undefined && constraints.default === undefined;
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
      ...(isBodied ? { body: JSON.stringify(bodyOf(method, api, maker)) } : {}),
    },
  };
}

/** A body with what the method demands of it. */
function bodyOf(method: Method, api: Api, maker: ValueMaker): unknown {
  const value = maker.make(method.request!, method.id);
  const { paging } = method;
  // No answer gave a token before the first request.
  if (paging?.in === "body")
    delete (value as Record<string, unknown>)[paging.token];
  const body = { data: value };
  return api.features.includes("dataWrapper") ? body : value;
}

/** A text that the server decodes without a fault. */
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
    const place = { key, name, depth: 0, within: [] };
    const random = new Random(key);
    const found = [
      constraints.pattern &&
        patternText(constraints.pattern, () => random.fraction()),
      String(maker.value(inner, constraints, place)),
    ].find((text) => text && isFit(text) && !(decode(text) instanceof Fault));
    if (found) return found;
  }
  return "x";
}

/** Whether each segment of a text has characters: patterns also allow none. */
function isPath(text: string): boolean {
  return text.split("/").every((segment) => segment !== "");
}
