import type { Sink } from "../diagnostics/sink.js";
import { Router } from "../runtime/server/routing/router.js";
import { parseTemplate } from "../runtime/server/routing/template.js";
import type { Api, Method } from "./ir.js";
import { methodsOf } from "./queries.js";
import { routesOf, uploadRoutes } from "./routes.js";

/**
 * Route of a method, with the keys by which conflicts with other routes are
 * detected.
 */
interface Route {
  readonly method: Method;
  readonly route: string;
  /**
   * Key of the entire route, formed from the HTTP method, the segments and the
   * custom verb. The names of variables are not part of the key.
   */
  readonly key: string;
  /**
   * Key of the route's segments up to and including `**`. Defined only if one
   * or more single-segment variables follow `**`.
   */
  readonly prefixKey: string | undefined;
}

/**
 * Reports methods whose routes match the same requests. Two routes are
 * ambiguous only if their segments are of the same kinds, because the router of
 * a generated server prefers literal segments to variables.
 */
export function findRouteConflicts(api: Api, sink: Sink): void {
  const router = new Router<Route>();
  const routes = methodsOf(api.root).flatMap((method) =>
    conflictKeys(method, api),
  );
  const reported = new Set<Method>();
  for (const candidate of routes) {
    const { method, route } = candidate;
    const winner = router.add(route, method.httpMethod, candidate);
    if (winner === undefined || winner.method === method) continue;
    if (reported.has(method)) continue;
    reported.add(method);
    const request = `${method.httpMethod} ${route}`;
    const message = `${method.id} and ${winner.method.id} have the same route ${request}; ${winner.method.id} is called`;
    sink.report("route-conflict", message, method.pointer);
  }
  reportOverlaps(routes, sink);
}

/**
 * Reports a route such as `users/{path=**}/{id}` if there is also a route
 * `users/{path=**}`, because both match the same requests.
 */
function reportOverlaps(routes: readonly Route[], sink: Sink): void {
  const byKey = new Map(routes.map((route) => [route.key, route]));
  for (const { method, route, prefixKey } of routes) {
    const winner = prefixKey === undefined ? undefined : byKey.get(prefixKey);
    if (winner === undefined || winner.method === method) continue;
    const message = `requests for ${method.id} (${method.httpMethod} ${route}) also match ${winner.route}; ${winner.method.id} is called`;
    sink.report("route-overlap", message, method.pointer);
  }
}

function conflictKeys(method: Method, api: Api): Route[] {
  const routes = routesOf(method).map((route) => api.servicePath + route);
  return [...routes, ...uploadRoutes(method, api)].map((route) => {
    const { items, verb } = parseTemplate(route);
    const keyOf = (count: number): string =>
      JSON.stringify([method.httpMethod, verb, items.slice(0, count)]);
    const rest = items.findIndex(({ kind }) => kind === "rest");
    const tail = items.slice(rest + 1);
    const isOpen =
      rest !== -1 &&
      tail.length > 0 &&
      tail.every(({ kind }) => kind === "any");
    return {
      method,
      route,
      key: keyOf(items.length),
      prefixKey: isOpen ? keyOf(rest + 1) : undefined,
    };
  });
}
