import type { Method, Parameter } from "../model/ir.js";
import { ApiError } from "../runtime/server/error.js";
import type { Action } from "./actions.js";
import type { MethodRole, ResourceType } from "./method-role.js";
import type { Params, ResourceKey } from "./mock-context.js";
import type { Resources } from "./resources.js";

export function pathParameters({ parameters }: Method): readonly Parameter[] {
  return parameters.filter(({ location }) => location === "path");
}

export function pathValuesOf(method: Method, params: Params): Params {
  const names = pathParameters(method).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, params[name]]));
}

/** Returns the path of a request without its custom verb, such as `:cancel`. */
export function pathOf(
  { tokens }: Method,
  params: Params,
  {
    customSegments = 0,
    pairName,
  }: Pick<MethodRole, "customSegments" | "pairName"> = {},
): string {
  const texts = tokens.map((token) => {
    if (token.kind === "verb") return "";
    if (token.kind === "literal") return token.text;
    const text = String(params[token.name] ?? "");
    return token.kind === "multi" ? text : encodeURIComponent(text);
  });
  let path = texts.join("");
  while (path.endsWith("/")) path = path.slice(0, -1);
  // In people:createContact, the verb is a part of the literal text.
  const last = tokens.at(-1);
  if (last?.kind === "literal") path = path.replace(/([^/]):\w+$/, "$1");
  if (customSegments > 0)
    path = path.split("/").slice(0, -customSegments).join("/");
  return pairName === undefined ? path : `${path}/${pairName}`;
}

/** Returns the collection and id of the resource that a request addresses. */
export function resourceKeyOf(
  method: Method,
  role: MethodRole,
  params: Params,
  body: unknown,
  { ids }: Resources,
): ResourceKey {
  const { resourceType } = role;
  const path = pathOf(method, params, role);
  const isCustom = role.customSegments !== undefined;
  if (
    !resourceType.isSingleton &&
    !isCustom &&
    isCollectionPath(method, resourceType)
  ) {
    const id = ids.chosenBy(path, params, body, method);
    if (id !== undefined) return { collection: path, id };
    throw new ApiError(
      400,
      `The parameter ${resourceType.variable} is missing.`,
    );
  }
  if (resourceType.isSingleton) return { collection: path, id: "" };
  const last = method.tokens.at(-1)!;
  if (isCustom || !("name" in last)) return keyOf(path, resourceType);
  const end = path.lastIndexOf("/");
  // A variable that matches one segment can contain encoded slashes, so the id
  // is the value of the variable, not the end of the path.
  const id =
    resourceType.prefix === undefined
      ? String(params[last.name] ?? "")
      : path.slice(end + 1);
  return { collection: path.slice(0, end), id };
}

/**
 * Returns the key of a resource with a path in which variables are encoded. The id
 * can contain slashes, unless it is a part of a resource name.
 */
function keyOf(path: string, { prefix }: ResourceType): ResourceKey {
  const end = path.lastIndexOf("/");
  const last = path.slice(end + 1);
  const id = prefix === undefined ? decoded(last) : last;
  return { collection: path.slice(0, end), id };
}

/** Decodes a segment; one that contains an unencoded `%` is not encoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Returns the keys of the resource before the verb of a custom method, and of the
 * one after the verb (`b/{bucket}/o/{object}/copyTo/b/{bucket}/o/{object}`). A
 * composed resource is before the verb.
 */
export function actionKeys(
  method: Method,
  { kind, resourceType, segments, isToken }: Action,
  params: Params,
): [key: ResourceKey, target: ResourceKey | undefined] {
  const path = pathOf(method, params);
  if (isToken) return [keyOf(path, resourceType), undefined];
  const all = path.split("/");
  const key = keyOf(all.slice(0, segments).join("/"), resourceType);
  const rest = all.slice(segments + 1);
  if (rest.length > 0) return [key, keyOf(rest.join("/"), resourceType)];
  return [key, kind === "compose" ? key : undefined];
}

/** Tests whether the path of a method has no id of a resource. */
function isCollectionPath(
  { tokens }: Method,
  { variable }: ResourceType,
): boolean {
  const last = tokens.at(-1);
  return last !== undefined && !("name" in last) && variable !== undefined;
}
