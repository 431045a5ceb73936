import { child, type DocumentPath, type BuildContext } from "./context.js";
import type { LinkPagination, Method, Schema } from "../ir.js";

/**
 * Parses the `x-paging` extension of a method. Reports an invalid value, an
 * undeclared parameter, or a response that is not an array, and returns
 * undefined in these cases.
 */
export function linkPagination(
  method: Method,
  raw: unknown,
  at: DocumentPath,
  context: BuildContext,
): LinkPagination | undefined {
  if (raw === undefined) return undefined;
  if (raw === false || isTokenForm(raw)) return undefined;
  const path = child(at, "x-paging");
  const { page, size, link } = Object(raw) as Record<string, unknown>;
  if (!isText(page) || !isText(size) || !isText(link)) {
    const expected =
      "false, an object with the members page, size and link, or an object with at least one of token, next and items";
    context.report(
      "extension-invalid",
      `${method.id}: x-paging must be ${expected}`,
      path,
    );
    return undefined;
  }
  if (!isQuery(method, page, at, context, "page")) return undefined;
  if (!isQuery(method, size, at, context, "size")) return undefined;
  const element = elementOf(method.response, context);
  if (element !== undefined) return { page, size, link, element };
  context.report(
    "extension-invalid",
    `${method.id}: x-paging requires an array as the response`,
    path,
  );
  return undefined;
}

/**
 * Tests whether `x-paging` describes pagination by page tokens.
 * token-pagination.ts parses that form.
 */
function isTokenForm(raw: unknown): boolean {
  const { token, next, items } = Object(raw) as Record<string, unknown>;
  return [token, next, items].some(isText);
}

function isQuery(
  { id, parameters }: Method,
  name: string,
  at: DocumentPath,
  context: BuildContext,
  key: string,
): boolean {
  const isDeclared = parameters.some(
    (parameter) => parameter.name === name && parameter.location === "query",
  );
  if (!isDeclared)
    context.report(
      "extension-unresolved",
      `${id}: x-paging contains ${JSON.stringify(name)}, which is not a query parameter`,
      child(at, "x-paging", key),
    );
  return isDeclared;
}

/**
 * Returns the element schema of an array response. Stops at a circular alias,
 * because aliases can still be circular at this stage.
 */
function elementOf(
  response: Schema | undefined,
  { definitions }: BuildContext,
): Schema | undefined {
  const seen = new Set<string>();
  let schema = response;
  while (schema?.kind === "ref" && !seen.has(schema.id)) {
    seen.add(schema.id);
    const body = definitions.get(schema.id)?.body;
    schema = body?.kind === "alias" ? body.schema : undefined;
  }
  return schema?.kind === "list" ? schema.items : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
