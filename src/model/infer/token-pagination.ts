import type { BuildContext } from "../build/context.js";
import type {
  Definition,
  Field,
  Method,
  TokenPagination,
  Schema,
} from "../ir.js";

// The last one is how identitytoolkit calls it in requests.
const TOKEN_NAMES = ["pageToken", "page_token", "nextPageToken"];
// The last one is how bigquery calls it.
const NEXT_NAMES = ["nextPageToken", "next_page_token", "pageToken"];

/** List fields that accompany a page and are not what it lists. */
const SIDE_LISTS = new Set([
  "unreachable",
  "unreachableLocations",
  "warnings",
  "errors",
  "defaultReminders",
  "missingZones",
]);

type Definitions = ReadonlyMap<string, Definition>;

/**
 * How a method pages: a token parameter, in the query or in the request body,
 * and a response field that holds the next one. Absent where either is missing.
 */
export function detectTokenPagination(
  method: Method,
  resource: string,
  definitions: Definitions,
  context: BuildContext,
): TokenPagination | undefined {
  const response = objectFields(method.response, definitions);
  const next = findText(response, NEXT_NAMES);
  const place = next === undefined ? undefined : findToken(method, definitions);
  if (next === undefined || place === undefined) return undefined;
  const lists = response.flatMap((field) => listField(field, definitions));
  const items = chooseItems(lists, method, resource);
  const others = lists
    .filter((list) => list !== items)
    .map((list) => list.field);
  if (items !== undefined && others.some((name) => !SIDE_LISTS.has(name))) {
    context.report(
      "paging-ambiguous",
      `${method.id}: items are ${items.field}, not ${others.join(", ")}`,
      `${method.pointer}/response`,
    );
  }
  return { ...place, next, others, ...(items === undefined ? {} : { items }) };
}

function findToken(
  method: Method,
  definitions: Definitions,
): Pick<TokenPagination, "token" | "in"> | undefined {
  for (const token of TOKEN_NAMES) {
    const isDeclared = method.parameters.some(
      (parameter) => parameter.name === token && !parameter.repeated,
    );
    if (isDeclared) return { token, in: "query" };
  }
  const token = findText(
    objectFields(method.request, definitions),
    TOKEN_NAMES,
  );
  return token === undefined ? undefined : { token, in: "body" };
}

function findText(
  fields: readonly Field[],
  names: readonly string[],
): string | undefined {
  return names.find((name) =>
    fields.some(
      (field) =>
        field.name === name &&
        field.schema.kind === "scalar" &&
        field.schema.type === "string",
    ),
  );
}

/** The fields of the object that a schema stands for; none for anything else. */
export function objectFields(
  schema: Schema | undefined,
  definitions: Definitions,
): readonly Field[] {
  const target = schema && resolveAlias(schema, definitions);
  const body =
    target?.kind === "ref" ? definitions.get(target.id)?.body : undefined;
  return body?.kind === "object" ? body.fields : [];
}

type Items = NonNullable<TokenPagination["items"]>;

function listField(field: Field, definitions: Definitions): Items[] {
  const schema = resolveAlias(field.schema, definitions);
  if (schema.kind === "list")
    return [{ field: field.name, schema: schema.items, isMap: false }];
  if (schema.kind === "map")
    return [{ field: field.name, schema: schema.values, isMap: true }];
  return [];
}

/** What a chain of references ends at; there are no cycles of them any more. */
function resolveAlias(schema: Schema, definitions: Definitions): Schema {
  let found = schema;
  while (found.kind === "ref") {
    const body = definitions.get(found.id)?.body;
    if (body?.kind !== "alias") break;
    found = body.schema;
  }
  return found;
}

/**
 * The list that a page lists, by these rules in turn: the only one; the one
 * called items; the one called like the resource or the method's object; the
 * first list of schemas; the first list. A map counts only without any list.
 */
function chooseItems(
  lists: readonly Items[],
  method: Method,
  resource: string,
): Items | undefined {
  const arrays = lists.filter((list) => !list.isMap);
  const main = arrays.filter((list) => !SIDE_LISTS.has(list.field));
  const maps = lists.filter((list) => list.isMap && list.field === "items");
  if (main.length === 0)
    return (
      maps[0] ??
      (arrays.length === 1 && lists.length === 1 ? arrays[0] : undefined)
    );
  return (
    main.find((list) => list.field === "items") ??
    main.find(
      (list) =>
        list.field === resource ||
        method.name.toLowerCase().endsWith(list.field.toLowerCase()),
    ) ??
    main.find((list) => list.schema.kind === "ref") ??
    main[0]
  );
}
