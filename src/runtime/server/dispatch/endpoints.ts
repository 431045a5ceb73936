import type { ApiDefinition, MethodDefinition } from "../contract.js";
import type { AnyHandler, MethodInfo } from "../call.js";
import type { Decoder } from "../parameters/decoder.js";
import {
  compileCommon,
  compileParameters,
  type ParameterSet,
} from "../parameters/parameter-reader.js";
import { Router } from "../routing/router.js";
import { parseTemplate } from "../routing/template.js";

/**
 * Kind of request that a route accepts: plain call, content download, upload,
 * or request to an existing upload session.
 */
export type EndpointKind = "call" | "download" | "upload" | "session";

/** API method with its handler and compiled parameters. */
export interface Endpoint {
  readonly kind: EndpointKind;
  readonly method: MethodDefinition;
  readonly info: MethodInfo;
  readonly parameters: ParameterSet;
  /** Handler; undefined if the service does not implement the method. */
  readonly handler: AnyHandler | undefined;
}

/**
 * Builds the router of an API. Paths are relative to the base path of the
 * server.
 */
export function buildRoutes(
  api: ApiDefinition,
  service: object,
): Router<Endpoint> {
  const router = new Router<Endpoint>();
  const common = compileCommon(api.parameters);
  for (const method of api.methods) {
    const endpoint = makeEndpoint(method, service, common);
    const add = (kind: EndpointKind, route: string): void => {
      router.add(route, endpoint.info.httpMethod, withKind(endpoint, kind));
    };
    for (const route of [method.route].flat()) {
      add("call", api.servicePath + route);
      if (method.download === "service")
        add("download", `download/${api.servicePath}${route}`);
    }
    for (const route of method.upload?.routes ?? []) add("upload", route);
  }
  addSessions(router);
  return router;
}

/**
 * Adds the routes of upload sessions. Clients use these routes to send the
 * content or to cancel the session.
 */
function addSessions(router: Router<Endpoint>): void {
  const endpoints = router.targets.filter(({ kind }) => kind === "upload");
  for (const endpoint of endpoints) {
    for (const route of endpoint.method.upload!.routes)
      for (const httpMethod of ["PUT", "POST", "DELETE"])
        router.add(route, httpMethod, withKind(endpoint, "session"));
  }
}

/** Returns a copy of an endpoint for the given kind of request. */
function withKind(endpoint: Endpoint, kind: EndpointKind): Endpoint {
  if (endpoint.kind === kind) return endpoint;
  return Object.create(endpoint, { kind: { value: kind } }) as Endpoint;
}

function makeEndpoint(
  method: MethodDefinition,
  service: object,
  common: ReadonlyMap<string, Decoder>,
): Endpoint {
  let parameters: ParameterSet | undefined;
  return {
    kind: "call",
    method,
    info: {
      id: method.id,
      httpMethod: method.httpMethod ?? "GET",
      scopes: method.scopes ?? [],
    },
    handler: handlerAt(service, method.at),
    // Parameters are compiled when the method is first called. This reduces the
    // startup time, because an API can have thousands of methods.
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

function pathNames({ route }: MethodDefinition): ReadonlySet<string> {
  const [first] = [route].flat();
  return new Set(parseTemplate(first!).captures.map(({ name }) => name));
}

/**
 * Returns the handler at a property path of the service object, bound to the
 * object that contains it. Properties that every object inherits, such as
 * `toString`, are ignored.
 */
function handlerAt(
  service: object,
  at: readonly string[],
): AnyHandler | undefined {
  let owner: unknown = service;
  for (const name of at.slice(0, -1)) owner = propertyOf(owner, name);
  const name = at.at(-1)!;
  const handler = propertyOf(owner, name);
  if (typeof handler !== "function") return undefined;
  return (call) => (handler as AnyHandler).call(owner, call);
}

function propertyOf(owner: unknown, name: string): unknown {
  if (owner === undefined || owner === null) return undefined;
  const value = (owner as Record<string, unknown>)[name];
  const inherited = (Object.prototype as unknown as Record<string, unknown>)[
    name
  ];
  const isOfFunctions =
    typeof owner === "function" && !Object.hasOwn(owner, name);
  return value === inherited || isOfFunctions ? undefined : value;
}
