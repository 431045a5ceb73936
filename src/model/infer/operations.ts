import type { Method, Operation } from "../ir.js";
import { objectFields, type Definitions } from "../queries.js";
import { variablesOf } from "../uri-template.js";

/**
 * Detects a method that starts a long-running operation: the name of its
 * response schema ends with `Operation`, and that schema has a `done` or
 * `status` field.
 */
export function detectOperation(
  method: Method,
  definitions: Definitions,
): Operation | undefined {
  const { response } = method;
  if (response?.kind !== "ref" || !response.id.endsWith("Operation"))
    return undefined;
  const names = new Set(
    objectFields(response, definitions).map((field) => field.name),
  );
  if (names.has("done") && names.has("name")) return { style: "done" };
  if (names.has("status") && names.has("name") && names.has("selfLink"))
    return { style: "status" };
  return undefined;
}

/**
 * Finds the methods that poll long-running operations. A polling method returns
 * an operation by name. All of its other path variables must be parameters of
 * the method that started the operation. If several methods qualify, the one
 * with the most variables is used (`zoneOperations` rather than
 * `globalOperations`), then the one with the shortest path.
 */
export function findPolls<M extends Method>(
  methods: readonly M[],
): ReadonlyMap<M, Poll> {
  const starting = methods.filter(({ operation }) => operation !== undefined);
  const getters = starting.filter(isGetter);
  const polls = new Map<M, Poll>();
  for (const method of starting) {
    const poll = nearest(
      getters.filter((getter) => hasSameResponse(getter, method)),
      method,
    );
    if (poll !== undefined) polls.set(method, poll);
  }
  return polls;
}

type Poll = NonNullable<Operation["poll"]>;

/**
 * Tests whether a method is a GET method whose path ends with a variable and
 * whose required parameters are all path variables.
 */
function isGetter({ httpMethod, path, tokens, parameters }: Method): boolean {
  const required = parameters.filter(({ flags }) => flags.required);
  return (
    httpMethod === "GET" &&
    /(^|\/)\{\+?[^{}]+\}$/.test(path) &&
    required.length === variablesOf(tokens).path.length
  );
}

function hasSameResponse(getter: Method, { response }: Method): boolean {
  return (
    response?.kind === "ref" &&
    getter.response?.kind === "ref" &&
    getter.response.id === response.id
  );
}

function nearest(getters: readonly Method[], method: Method): Poll | undefined {
  const available = new Set(method.parameters.map(({ name }) => name));
  let best: { readonly getter: Method; readonly others: number } | undefined;
  for (const getter of getters) {
    const others = variablesOf(getter.tokens).path.slice(0, -1);
    if (!others.every((name) => available.has(name))) continue;
    if (best === undefined || isNearer(getter, others.length, best))
      best = { getter, others: others.length };
  }
  return best === undefined ? undefined : pollOf(best.getter, available);
}

function isNearer(
  { path }: Method,
  others: number,
  best: { readonly getter: Method; readonly others: number },
): boolean {
  if (others !== best.others) return others > best.others;
  return path.length < best.getter.path.length;
}

function pollOf(getter: Method, available: ReadonlySet<string>): Poll {
  const query = getter.parameters
    .filter(({ location, name }) => location === "query" && available.has(name))
    .map(({ name }) => name);
  return {
    path: getter.path,
    variable: variablesOf(getter.tokens).path.at(-1)!,
    query,
  };
}
