import type { Api, Method } from "./api.js";
import type { AnyHandler, MethodInfo } from "./call.js";
import type { Decoder } from "./parameter.js";
import {
  compileCommon,
  compileParameters,
  type ParameterSet,
} from "./parameters.js";
import { Router } from "./router.js";
import { parseTemplate } from "./template.js";

/** How a path leads to a method: plain, to its content, or to an upload. */
export type Kind = "call" | "download" | "upload";

/** A method that can be reached, with its handler. */
export interface Endpoint {
  readonly kind: Kind;
  readonly method: Method;
  readonly info: MethodInfo;
  readonly parameters: ParameterSet;
  /** Absent where the service has none. */
  readonly handler: AnyHandler | undefined;
}

/** All endpoints of an API by path, relative to the server's base path. */
export function buildRoutes(api: Api, service: object): Router<Endpoint> {
  const router = new Router<Endpoint>();
  const common = compileCommon(api.parameters);
  for (const method of api.methods) {
    const base = makeEndpoint(api, method, service, common);
    const add = (kind: Kind, route: string): void => {
      const endpoint = kind === "call" ? base : { ...base, kind };
      router.add(route, base.info.verb, endpoint);
    };
    for (const route of [method.route].flat()) {
      add("call", api.servicePath + route);
      if (method.download === "service")
        add("download", `download/${api.servicePath}${route}`);
    }
    for (const route of method.upload?.routes ?? []) add("upload", route);
  }
  return router;
}

function makeEndpoint(
  api: Api,
  method: Method,
  service: object,
  common: ReadonlyMap<string, Decoder>,
): Endpoint & { kind: Kind } {
  let parameters: ParameterSet | undefined;
  return {
    kind: "call",
    method,
    info: {
      id: method.id,
      verb: method.verb ?? "GET",
      scopes: (method.scopes ?? []).map((index) => api.scopes![index]!),
    },
    handler: handlerAt(service, method.at),
    // Made when the method is called first: an API has thousands.
    get parameters(): ParameterSet {
      return (parameters ??= compileParameters(
        method.parameters ?? {},
        common,
        pathNames(method),
        method.download !== undefined,
      ));
    },
  };
}

function pathNames({ route }: Method): ReadonlySet<string> {
  const [first] = [route].flat();
  return new Set(parseTemplate(first!).captures.map(({ name }) => name));
}

/**
 * The function at a place of the service, called on the object that has it.
 * What every object has, such as `toString`, is no handler.
 */
function handlerAt(
  service: object,
  at: readonly string[],
): AnyHandler | undefined {
  let owner: unknown = service;
  for (const name of at.slice(0, -1)) owner = member(owner, name);
  const name = at.at(-1)!;
  const found = member(owner, name);
  if (typeof found !== "function") return undefined;
  return (call) => (found as AnyHandler).call(owner, call);
}

function member(owner: unknown, name: string): unknown {
  if (owner === undefined || owner === null) return undefined;
  const value = (owner as Record<string, unknown>)[name];
  const inherited = (Object.prototype as unknown as Record<string, unknown>)[
    name
  ];
  const isOfFunctions =
    typeof owner === "function" && !Object.hasOwn(owner, name);
  return value === inherited || isOfFunctions ? undefined : value;
}
