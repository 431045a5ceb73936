import type { Api, Method, Parameter } from "../../model/ir.js";
import type { Pair } from "../rule.js";
import { routesOf } from "../../model/routes.js";
import type { Side } from "../side.js";
import { hasSameStructure } from "./same-structure.js";

type KeyOf = (method: Method, side: Side) => string | undefined;

/** Function that returns true if two methods with the same key are one method. */
type IsMatch = (old: Method, now: Method, sides: Sides) => boolean;

interface Sides {
  readonly old: Side;
  readonly new: Side;
}

/**
 * Keys by which methods are matched, in order of precedence. For example,
 * methods with the same id are matched before methods with the same URL.
 */
const STEPS: readonly (readonly [KeyOf, IsMatch])[] = [
  [(method, side) => `${method.id}\n${positionOf(method, side)}`, () => true],
  [({ id }) => id, () => true],
  [positionOf, () => true],
  [urlKeyOf, hasSameBodies],
];

function positionOf(method: Method, side: Side): string {
  return `${side.resourceOf.get(method)}\n${method.name}`;
}

/**
 * Returns the HTTP method and the URL without the names of variables, such as
 * `GET v1/books/*`. Returns undefined if the document does not determine the
 * segments of the URL: `v1/{+name}` alone identifies no method.
 */
function urlKeyOf(method: Method, { api }: Side): string | undefined {
  const [route = ""] = routesOf(method);
  const shape = route.replace(
    /\{[^{}=]*(?:=([^{}]*))?\}/g,
    (_, form = "*") => form as string,
  );
  return shape.includes("**")
    ? undefined
    : `${method.httpMethod} ${api.servicePath}${shape}`;
}

/** Tests whether requests and responses of two methods have the same schemas. */
function hasSameBodies(old: Method, now: Method, sides: Sides): boolean {
  const definitions = {
    old: sides.old.definitions,
    new: sides.new.definitions,
  };
  return (
    hasSameStructure(old.request, now.request, definitions) &&
    hasSameStructure(old.response, now.response, definitions)
  );
}

/**
 * Pairs the methods of two documents. Methods of the old document come first,
 * in their order; added methods follow.
 */
export function matchMethods(old: Side, now: Side): readonly Pair<Method>[] {
  const partners = new Map<Method, Method>();
  const free = new Set(now.methods);
  for (const [keyOf, isMatch] of STEPS) {
    const byKey = new Map<string, Method>();
    for (const method of free) {
      const key = keyOf(method, now);
      if (key !== undefined && !byKey.has(key)) byKey.set(key, method);
    }
    for (const method of old.methods) {
      if (partners.has(method)) continue;
      const partner = byKey.get(keyOf(method, old) ?? "");
      if (partner === undefined || !free.has(partner)) continue;
      if (!isMatch(method, partner, { old, new: now })) continue;
      free.delete(partner);
      partners.set(method, partner);
    }
  }
  return [
    ...old.methods.map((method) => ({
      old: method,
      new: partners.get(method),
    })),
    ...[...free].map((method) => ({ old: undefined, new: method })),
  ];
}

/**
 * Pairs the parameters and request headers of two methods. Path variables are
 * matched by position. A parameter that is declared by only one of the methods
 * is matched with the API's common parameter in the other document.
 */
export function matchParameters(
  old: Method,
  now: Method,
  apis: { readonly old: Api; readonly new: Api },
): readonly Pair<Parameter>[] {
  const renamed = renamedVariables(old, now);
  const before = [...old.parameters, ...(old.headers ?? [])];
  const after = new Map(
    [...now.parameters, ...(now.headers ?? [])].map((one) => [one.name, one]),
  );
  const pairs: Pair<Parameter>[] = before.map((parameter) => {
    const name = renamed.get(parameter.name) ?? parameter.name;
    const partner = after.get(name) ?? commonOf(apis.new, name);
    after.delete(name);
    return { old: parameter, new: partner };
  });
  for (const parameter of after.values())
    pairs.push({ old: commonOf(apis.old, parameter.name), new: parameter });
  return pairs;
}

/** Pairs the parameters that all methods of an API have in common. */
export function matchCommonParameters(old: Api, now: Api): Pair<Parameter>[] {
  return [
    ...old.parameters.map((one) => ({
      old: one,
      new: commonOf(now, one.name),
    })),
    ...now.parameters
      .filter(({ name }) => commonOf(old, name) === undefined)
      .map((one) => ({ old: undefined, new: one })),
  ];
}

function commonOf(api: Api, name: string): Parameter | undefined {
  return api.parameters.find((parameter) => parameter.name === name);
}

/** Returns a path in which the names of variables are removed: `books/{}`. */
export function shapeOf(path: string): string {
  return path.replace(/\{(\+?)[^{}]*\}/g, "{$1}");
}

/** Returns the path of a method relative to the root URL. */
export function urlPath({ path }: Method, { api }: Side): string {
  return api.servicePath + path;
}

/**
 * Returns a map from old to new names of path variables. Variables are matched
 * by position. The map is empty if the literals of the two paths differ.
 */
export function renamedVariables(
  old: Method,
  now: Method,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (shapeOf(old.path) !== shapeOf(now.path)) return renamed;
  const [before, after] = [namesIn(old), namesIn(now)];
  for (const [index, name] of before.entries()) {
    const other = after[index];
    const isMoved = after.includes(name);
    if (other !== undefined && other !== name && !isMoved)
      renamed.set(name, other);
  }
  return renamed;
}

function namesIn({ tokens }: Method): string[] {
  return tokens.flatMap((token) => ("name" in token ? [token.name] : []));
}
