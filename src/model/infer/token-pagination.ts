import type { BuildContext } from "../build/context.js";
import type { Field, Method, TokenPagination } from "../ir.js";
import { objectFields, resolveAlias, type Definitions } from "../queries.js";

// Query parameters or body fields that can contain a page token. The
// identitytoolkit API uses `nextPageToken` in requests.
const TOKEN_NAMES = ["pageToken", "page_token", "nextPageToken"];
// Response fields that can contain the next page token. The bigquery API uses
// `pageToken` in responses.
const NEXT_NAMES = ["nextPageToken", "next_page_token", "pageToken"];

/**
 * Names of list fields that a page can contain in addition to its items, such
 * as warnings.
 */
const SECONDARY_LISTS = new Set([
  "unreachable",
  "unreachableLocations",
  "warnings",
  "errors",
  "defaultReminders",
  "missingZones",
]);

/**
 * Detects token pagination: a token parameter in the query or in the request
 * body, and a response field with the next token. Returns undefined if either
 * is missing.
 */
export function detectTokenPagination(
  method: Method,
  resource: string,
  definitions: Definitions,
  context: BuildContext,
): TokenPagination | undefined {
  const declared = context.declaredPaging.get(method);
  if (declared === false) return undefined;
  const names = declaredNames(declared);
  const response = objectFields(method.response, definitions);
  const next = findText(response, names.next ?? NEXT_NAMES);
  const parameter = findToken(method, definitions, names.token ?? TOKEN_NAMES);
  if (next === undefined || parameter === undefined) {
    if (names.isDeclared)
      reportUnresolved(method, next === undefined ? "next" : "token", context);
    return undefined;
  }
  const lists = response.flatMap((field) => listField(field, definitions));
  if (names.items !== undefined) {
    const items = lists.find(({ field }) => field === names.items);
    if (items === undefined) reportUnresolved(method, "items", context);
    const others = lists.filter((list) => list !== items);
    return pagination(parameter, next, items, others);
  }
  const items = chooseItems(lists, method, resource);
  const others = lists
    .filter((list) => list !== items)
    .map((list) => list.field);
  if (
    items !== undefined &&
    others.some((name) => !SECONDARY_LISTS.has(name))
  ) {
    context.report(
      "paging-ambiguous",
      `${method.id}: the page items are read from ${items.field}, not from ${others.join(", ")}`,
      `${method.pointer}/response`,
    );
  }
  return pagination(
    parameter,
    next,
    items,
    lists.filter((list) => list !== items),
  );
}

function pagination(
  parameter: Pick<TokenPagination, "token" | "in">,
  next: string,
  items: Items | undefined,
  others: readonly Items[],
): TokenPagination {
  return {
    ...parameter,
    next,
    others: others.map(({ field }) => field),
    ...(items === undefined ? {} : { items }),
  };
}

/**
 * Returns the field and parameter names in `x-paging`. Other names are inferred
 * later.
 */
function declaredNames(declared: unknown): {
  readonly isDeclared: boolean;
  readonly next?: readonly string[];
  readonly token?: readonly string[];
  readonly items?: string;
} {
  const { next, token, items } = Object(declared) as Record<string, unknown>;
  return {
    isDeclared: [next, token, items].some((name) => name !== undefined),
    ...(typeof next === "string" ? { next: [next] } : {}),
    ...(typeof token === "string" ? { token: [token] } : {}),
    ...(typeof items === "string" ? { items } : {}),
  };
}

const UNRESOLVED = {
  next: "the response has no field with this name that contains a page token",
  token:
    "the method has no parameter or body field with this name that contains a page token",
  items: "the response has no list with this name",
};

function reportUnresolved(
  { id, pointer }: Method,
  key: keyof typeof UNRESOLVED,
  context: BuildContext,
): void {
  context.report(
    "extension-unresolved",
    `${id}: x-paging: ${UNRESOLVED[key]}`,
    `${pointer}/x-paging/${key}`,
  );
}

function findToken(
  method: Method,
  definitions: Definitions,
  names: readonly string[],
): Pick<TokenPagination, "token" | "in"> | undefined {
  for (const token of names) {
    const isDeclared = method.parameters.some(
      (parameter) => parameter.name === token && !parameter.repeated,
    );
    if (isDeclared) return { token, in: "query" };
  }
  const token = findText(objectFields(method.request, definitions), names);
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

type Items = NonNullable<TokenPagination["items"]>;

function listField(field: Field, definitions: Definitions): Items[] {
  const schema = resolveAlias(field.schema, definitions);
  if (schema.kind === "list")
    return [{ field: field.name, schema: schema.items, isMap: false }];
  if (schema.kind === "map")
    return [{ field: field.name, schema: schema.values, isMap: true }];
  return [];
}

/**
 * Chooses the list field that contains the items of a page. In order of
 * preference: the only list; the list with the name `items`; the list that is
 * named like the resource or like the object in the method's name; the first
 * list of references; the first list. A map is chosen only if there is no list.
 */
function chooseItems(
  lists: readonly Items[],
  method: Method,
  resource: string,
): Items | undefined {
  const arrays = lists.filter((list) => !list.isMap);
  const main = arrays.filter((list) => !SECONDARY_LISTS.has(list.field));
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
