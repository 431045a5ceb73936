import type { Definition, Method, Parameter, Schema } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { routesOf } from "../model/routes.js";

/** What a method does with the resources of a collection. */
export type RoleKind =
  "get" | "list" | "create" | "replace" | "patch" | "delete";

/** A collection of resources of one schema, as its methods show it. */
export interface Family {
  /** Path of the collection, with `*` for each segment that varies; of the thing itself, where there is one only. */
  readonly form: string;
  /** Id of the resources' schema. */
  readonly entity: string;
  readonly isSingle: boolean;
  /** The variable that ends the path of a resource; absent where there is one only. */
  readonly variable: string | undefined;
  /** Text before that variable, where its value is the whole name (`projects/p/topics/t`). */
  readonly prefix: string | undefined;
  /** The parameter of that variable. */
  readonly parameter: Parameter | undefined;
}

/** The part of a method in a family. */
export interface Role {
  readonly kind: RoleKind;
  readonly family: Family;
}

type Definitions = ReadonlyMap<string, Definition>;

const ITEM_ROLES: Readonly<Record<string, RoleKind>> = {
  GET: "get",
  PUT: "replace",
  PATCH: "patch",
  DELETE: "delete",
};

/**
 * Recognises resources by their paths: what ends in a variable is a resource of
 * the collection that the path without it names, whether the path spells the
 * collections out (`files/{fileId}`) or a name holds them (`{+parent}/topics`,
 * `{+name}`). What GET gives is the schema. One of which a path without a
 * variable gets and sets the same schema has no collection.
 */
export function rolesOf(
  methods: readonly Method[],
  definitions: Definitions,
): ReadonlyMap<Method, Role> {
  const shapes = new Map(methods.map((method) => [method, formOf(method)]));
  const roles = new Map<Method, Role>();
  for (const family of familiesOf(shapes, definitions)) {
    for (const [method, form] of shapes) {
      const kind = roleOf(method, form, family, definitions);
      if (kind !== undefined && !roles.has(method))
        roles.set(method, { kind, family });
    }
  }
  return roles;
}

/** The path of a method with `*` for each segment that varies; undefined for one with a verb. */
function formOf(method: Method): string | undefined {
  if (method.tokens.some(({ kind }) => kind === "verb")) return undefined;
  const [route = ""] = routesOf(method);
  return route.replace(/\{[^{}=]*(?:=([^{}]*))?\}/g, (_, form?: string) =>
    form === undefined ? "*" : form,
  );
}

/** The form of the collection, of a path that ends in a variable. */
function collectionOf(form: string | undefined): string | undefined {
  return form?.endsWith("/*") === true ? form.slice(0, -2) : undefined;
}

function familiesOf(
  shapes: ReadonlyMap<Method, string | undefined>,
  definitions: Definitions,
): Family[] {
  const families = new Map<string, Family>();
  for (const [method, form] of shapes) {
    if (method.httpMethod !== "GET" || form === undefined) continue;
    const entity = entityOf(method, definitions);
    if (entity === undefined) continue;
    const collection = collectionOf(form);
    const isSingle = collection === undefined;
    if (isSingle && !isSet(shapes, form, entity)) continue;
    const key = collection ?? form;
    if (families.has(key)) continue;
    families.set(key, {
      form: key,
      entity,
      isSingle,
      ...(isSingle ? NOTHING : lastOf(method)),
    });
  }
  return [...families.values()];
}

const NOTHING = {
  variable: undefined,
  prefix: undefined,
  parameter: undefined,
};

function lastOf({
  tokens,
  parameters,
}: Method): Pick<Family, "variable" | "prefix" | "parameter"> {
  const last = tokens.at(-1)!;
  if (!("name" in last)) return NOTHING;
  const { name } = last;
  const parameter = parameters.find((one) => one.name === name);
  const before = tokens.slice(0, -1);
  const isWhole =
    last.kind === "multi" &&
    last.pattern?.replaceAll("[^/]", "").includes("/") === true;
  const prefix = isWhole
    ? before.map((token) => ("text" in token ? token.text : "")).join("")
    : undefined;
  return { variable: name, prefix, parameter };
}

/** The schema of the one object that a method gives. */
function entityOf(
  { response, paging, operation }: Method,
  definitions: Definitions,
): string | undefined {
  if (response?.kind !== "ref" || paging !== undefined) return undefined;
  if (operation !== undefined) return undefined;
  const body = definitions.get(response.id)?.body;
  return body?.kind === "object" && body.fields.length > 0
    ? response.id
    : undefined;
}

/** Whether the same path sets what it gets. */
function isSet(
  shapes: ReadonlyMap<Method, string | undefined>,
  form: string,
  entity: string,
): boolean {
  return [...shapes].some(
    ([{ httpMethod, request }, other]) =>
      other === form &&
      /^(PUT|PATCH)$/.test(httpMethod) &&
      isOf(request, entity),
  );
}

function roleOf(
  method: Method,
  form: string | undefined,
  family: Family,
  definitions: Definitions,
): RoleKind | undefined {
  const { httpMethod, request, response, rawRequest, rawResponse } = method;
  if (form === undefined || rawRequest === true || rawResponse === true)
    return undefined;
  const { entity, isSingle } = family;
  if ((isSingle ? form : collectionOf(form)) === family.form) {
    const kind = ITEM_ROLES[httpMethod];
    if (kind === "get") return isOf(response, entity) ? kind : undefined;
    if (kind === "delete") return isSingle ? undefined : kind;
    return isOf(request, entity) ? kind : undefined;
  }
  if (isSingle || form !== family.form) return undefined;
  if (httpMethod === "GET")
    return listOf(method, entity, definitions) === undefined
      ? undefined
      : "list";
  const isMade = isOf(request, entity) || isOf(response, entity);
  return httpMethod === "POST" && isMade ? "create" : undefined;
}

function isOf(schema: Schema | undefined, entity: string): boolean {
  return schema?.kind === "ref" && schema.id === entity;
}

/** The field with a schema's elements in what a method gives; empty where it gives the list itself. */
export function listOf(
  { response }: Method,
  entity: string,
  definitions: Definitions,
): string | undefined {
  const itself = response && throughAlias(response, definitions);
  if (itself?.kind === "list")
    return isOf(itself.items, entity) ? "" : undefined;
  return objectFields(response, definitions).find(({ schema }) => {
    const list = throughAlias(schema, definitions);
    return list.kind === "list" && isOf(list.items, entity);
  })?.name;
}

function throughAlias(schema: Schema, definitions: Definitions): Schema {
  let found = schema;
  for (let steps = 0; found.kind === "ref" && steps < 20; steps++) {
    const body = definitions.get(found.id)?.body;
    if (body?.kind !== "alias") break;
    found = body.schema;
  }
  return found;
}
