import type { Sink } from "../diagnostics/sink.js";
import { Router } from "../runtime/server/routing/router.js";
import { parseTemplate } from "../runtime/server/routing/template.js";
import type { Api, Method } from "./ir.js";
import { methodsOf } from "./infer/direction.js";
import { routesOf, uploadRoutes } from "./routes.js";

/** A route with its method and whatever tells it from others. */
interface Row {
  readonly method: Method;
  readonly route: string;
  /** The form of its segments, its HTTP method and custom verb. */
  readonly key: string;
  /** The same of its part up to any number of segments, if only variables follow. */
  readonly open: string | undefined;
}

/**
 * Proves that no request has two methods, with the router that generated
 * servers have: fixed text goes before variables there, so that only routes of
 * the same form tie. Reports those that do, and who wins.
 */
export function findRouteConflicts(api: Api, sink: Sink): void {
  const router = new Router<Row>();
  const rows = methodsOf(api.root).flatMap((method) => rowsOf(method, api));
  const reported = new Set<Method>();
  for (const row of rows) {
    const { method, route } = row;
    const winner = router.add(route, method.httpMethod, row);
    if (winner === undefined || winner.method === method) continue;
    if (reported.has(method)) continue;
    reported.add(method);
    const request = `${method.httpMethod} ${route}`;
    const message = `${winner.method.id} takes ${request}, which ${method.id} has too`;
    sink.report("route-tie", message, method.pointer);
  }
  reportOverlaps(rows, sink);
}

/** `**` and `**` with variables behind it: the one that takes all wins. */
function reportOverlaps(rows: readonly Row[], sink: Sink): void {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const { method, route, open } of rows) {
    const winner = open === undefined ? undefined : byKey.get(open);
    if (winner === undefined || winner.method === method) continue;
    const message = `${winner.method.id} takes requests that fit ${method.id} as well: ${method.httpMethod} ${winner.route} and ${route}`;
    sink.report("route-overlap", message, method.pointer);
  }
}

function rowsOf(method: Method, api: Api): Row[] {
  const own = routesOf(method).map((route) => api.servicePath + route);
  return [...own, ...uploadRoutes(method, api)].map((route) => {
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
      open: isOpen ? keyOf(rest + 1) : undefined,
    };
  });
}
