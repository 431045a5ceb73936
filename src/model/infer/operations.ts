import type { Definition, Method, Operation, Resource } from "../ir.js";
import { methodsOf } from "./direction.js";
import { objectFields } from "./token-pagination.js";
import { variablesOf } from "../uri-template.js";

/**
 * Whether a method starts a long-running operation: its response is a schema
 * called Operation that tells whether it is done, by a flag or by a status.
 */
export function detectOperation(
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
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
 * How the state of each method's operation is asked for: by the method that
 * gets it by its name, whose other variables are parameters of the one that
 * started it. Of several the one with the most variables is the nearest
 * (`zoneOperations` before `globalOperations`), then the one with the shortest
 * path.
 */
export function findPolls(root: Resource): ReadonlyMap<Method, Poll> {
  const methods = methodsOf(root).filter(
    ({ operation }) => operation !== undefined,
  );
  const getters = methods.filter(isGetter);
  const polls = new Map<Method, Poll>();
  for (const method of methods) {
    const poll = nearest(
      getters.filter((getter) => sameAnswer(getter, method)),
      method,
    );
    if (poll !== undefined) polls.set(method, poll);
  }
  return polls;
}

type Poll = NonNullable<Operation["poll"]>;

/** GET of one operation: the last variable of the path, and its end. */
function isGetter({ httpMethod, path, tokens, parameters }: Method): boolean {
  const required = parameters.filter(({ flags }) => flags.required);
  return (
    httpMethod === "GET" &&
    /(^|\/)\{\+?[^{}]+\}$/.test(path) &&
    required.length === variablesOf(tokens).path.length
  );
}

function sameAnswer(getter: Method, { response }: Method): boolean {
  return (
    response?.kind === "ref" &&
    getter.response?.kind === "ref" &&
    getter.response.id === response.id
  );
}

function nearest(getters: readonly Method[], method: Method): Poll | undefined {
  const given = new Set(method.parameters.map(({ name }) => name));
  let best: { readonly getter: Method; readonly others: number } | undefined;
  for (const getter of getters) {
    const others = variablesOf(getter.tokens).path.slice(0, -1);
    if (!others.every((name) => given.has(name))) continue;
    if (best === undefined || isNearer(getter, others.length, best))
      best = { getter, others: others.length };
  }
  return best === undefined ? undefined : pollOf(best.getter, given);
}

function isNearer(
  { path }: Method,
  others: number,
  best: { readonly getter: Method; readonly others: number },
): boolean {
  if (others !== best.others) return others > best.others;
  return path.length < best.getter.path.length;
}

function pollOf(getter: Method, given: ReadonlySet<string>): Poll {
  const query = getter.parameters
    .filter(({ location, name }) => location === "query" && given.has(name))
    .map(({ name }) => name);
  return {
    path: getter.path,
    variable: variablesOf(getter.tokens).path.at(-1)!,
    query,
  };
}
