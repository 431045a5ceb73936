import { isObject } from "../../diagnostics/json.js";
import { canonicalValue, sortedKeys } from "../../load/canonical.js";
import type {
  RawDocument,
  RawExtensions,
  RawMethod,
  RawSchema,
} from "../../load/raw.js";
import { isRedirectStatus } from "../../runtime/server/responses/redirects.js";
import { checkErrors } from "../infer/error-rules.js";
import type {
  Api,
  Credential,
  ErrorRule,
  LinkPagination,
  Method,
  Mutable,
  Parameter,
  Schema,
  Stream,
} from "../ir.js";
import { type BuildContext, child, type DocumentPath } from "./context.js";
import { buildParameter } from "./parameter.js";
import { buildNode } from "./schema.js";

/**
 * Adds extensions to a method: those that the method declares, and those that
 * the document declares for all methods.
 */
export function addExtensions(
  method: Mutable<Method>,
  raw: RawMethod,
  document: RawExtensions,
  at: DocumentPath,
  context: BuildContext,
): void {
  const { id } = method;
  const headers = withoutConflicts(
    buildHeaders("x-headers", id, raw, document, at, context),
    method,
    raw,
    at,
    context,
  );
  const responseHeaders = buildHeaders(
    "x-response-headers",
    id,
    raw,
    document,
    at,
    context,
  );
  const credential = methodCredential(raw["x-credential"], document);
  const errors = checkErrors(
    parseErrorRules(raw["x-errors"]),
    parseErrorRules(document["x-errors"]),
    at,
    context,
  );
  checkCredential(credential, method, at, context);
  const paging = raw["x-paging"];
  if (paging !== undefined) context.declaredPaging.set(method, paging);
  const links = linkPagination(method, raw["x-paging"], at, context);
  const stream = buildStream(method, raw, at, context);
  const result = buildOperationResult(id, raw["x-operation"], at, context);
  const status = raw["x-status"];
  const mediaTypes = stringsIn(raw["x-body-parameters"]);
  if (headers.length > 0) method.headers = headers;
  if (responseHeaders.length > 0) method.responseHeaders = responseHeaders;
  if (credential !== undefined) method.credential = credential;
  const common = documentCredential(document);
  if (JSON.stringify(credential) !== JSON.stringify(common))
    method.hasOwnCredential = true;
  if (errors.length > 0) method.errors = errors;
  if (links !== undefined) method.links = links;
  if (stream !== undefined) method.stream = stream;
  if (result !== undefined) method.operation = { style: "done", result };
  if (Number.isInteger(status)) method.status = status as number;
  if (isRedirectStatus(method.status)) method.redirects = true;
  if (mediaTypes.length > 0) method.bodyParameters = mediaTypes;
}

/** Parses `x-errors` into a list with one rule for each HTTP status. */
export function parseErrorRules(raw: unknown): ErrorRule[] {
  return entriesOf(raw).flatMap(([status, entry]) => {
    if (!/^(?:[1-5]\d\d|default)$/.test(status)) return [];
    const { description, $ref, body, message, reason, code } = membersOf(entry);
    return [
      {
        status,
        ...stringMembers({ description, schema: $ref, message, reason, code }),
        ...(body === undefined ? {} : { body: canonicalValue(body) }),
      },
    ];
  });
}

/**
 * Reports and removes headers that have the same name as a parameter. Both
 * become members of the same object in generated code, so their names must
 * differ.
 */
function withoutConflicts(
  headers: readonly Parameter[],
  { id, parameters }: Mutable<Method>,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): readonly Parameter[] {
  if (headers.length === 0) return headers;
  const taken = new Set(parameters.map(({ name }) => name));
  for (const name of ["requestBody", "media"]) taken.add(name);
  return headers.filter(({ name }) => {
    if (!taken.has(name)) return true;
    const isDeclared = Object.hasOwn(membersOf(raw["x-headers"]), name);
    context.report(
      "extension-invalid",
      `${id}: the header ${JSON.stringify(name)} has the same name as a parameter`,
      child(isDeclared ? at : undefined, "x-headers", name),
    );
    return false;
  });
}

/**
 * Builds the headers of a method: its own headers, and the document's headers
 * unless the method redeclares them.
 */
function buildHeaders(
  key: "x-headers" | "x-response-headers",
  id: string,
  raw: RawMethod,
  document: RawExtensions,
  at: DocumentPath,
  context: BuildContext,
): Parameter[] {
  if (raw[key] === undefined && document[key] === undefined) return [];
  const declared = entriesOf(raw[key]);
  const names = new Set(declared.map(([name]) => name.toLowerCase()));
  const shared = entriesOf(document[key]).filter(
    ([name]) => !names.has(name.toLowerCase()),
  );
  return [...shared, ...declared].map(([name, schema]) =>
    buildParameter(
      id,
      name,
      membersOf(schema) as RawSchema,
      child(
        declared.some(([other]) => other === name) ? at : undefined,
        key,
        name,
      ),
      context,
    ),
  );
}

/**
 * Builds the stream of a response: server-sent events if `x-stream` is
 * declared, or the elements of the JSON array that servers send for methods
 * with `streamingType`.
 */
function buildStream(
  { id, response }: Mutable<Method>,
  { "x-stream": raw, streamingType = "" }: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): Stream | undefined {
  const { when, $ref, end } = membersOf(raw);
  if (typeof $ref !== "string")
    return /server|bidi/i.test(streamingType) && response !== undefined
      ? { format: "array", element: response }
      : undefined;
  const path = child(at, "x-stream");
  const inline = { id, field: "stream", depth: 0 };
  return {
    format: "events",
    element: buildNode({ $ref }, path, context, inline),
    ...(when === undefined ? {} : { when: membersOf(canonicalValue(when)) }),
    ...stringMembers({ end }),
  };
}

/** Builds the schema of a long-running operation's result (`x-operation`). */
function buildOperationResult(
  id: string,
  raw: unknown,
  at: DocumentPath,
  context: BuildContext,
): Schema | undefined {
  const { response } = membersOf(raw);
  if (typeof response !== "string") return undefined;
  const path = child(at, "x-operation", "response");
  const inline = { id, field: "result", depth: 0 };
  return buildNode({ $ref: response }, path, context, inline);
}

/** Builds the document's extensions that apply to all methods. */
export function documentExtensions(
  document: RawDocument,
  context: BuildContext,
): Pick<Api, "errors" | "credential" | "responseHeaders"> {
  const rules = parseErrorRules(document["x-errors"]);
  const errors = checkErrors(rules, rules, undefined, context);
  const credential = documentCredential(document);
  const headers = entriesOf(document["x-response-headers"]);
  const responseHeaders = headers.map(([name, schema]) =>
    buildParameter(
      document.name!,
      name,
      membersOf(schema) as RawSchema,
      child(undefined, "x-response-headers", name),
      context,
    ),
  );
  return {
    ...(errors.length === 0 ? {} : { errors }),
    ...(credential === undefined ? {} : { credential }),
    ...(headers.length === 0 ? {} : { responseHeaders }),
  };
}

/**
 * Object in the value of an extension, such as `x-paging`. Its members are not
 * validated yet.
 */
type RawMembers = Readonly<Record<string, unknown>>;

/**
 * Returns the members of an object, sorted by key; an empty list for a value
 * that is not an object.
 */
function entriesOf(value: unknown): [key: string, value: unknown][] {
  const members = membersOf(value);
  return sortedKeys(members).map((key) => [key, members[key]]);
}

/** Returns the value if it is an object, otherwise an empty object. */
function membersOf(value: unknown): RawMembers {
  return isObject(value) ? value : {};
}

/**
 * Returns the elements of a list that are strings; an empty list for a value
 * that is not a list.
 */
function stringsIn(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((entry) => typeof entry === "string");
}

/** Returns the members whose values are strings. */
function stringMembers(members: RawMembers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/**
 * Returns the credential of a method: the method's own `x-credential` if it is
 * declared, otherwise the document's. Returns undefined if the method's
 * `x-credential` is `false`.
 */
function methodCredential(
  own: unknown,
  document: RawExtensions,
): Credential | undefined {
  if (own === false) return undefined;
  return own === undefined
    ? documentCredential(document)
    : parseCredential(own);
}

/** Returns the document's default credential, which methods can override. */
function documentCredential(document: RawExtensions): Credential | undefined {
  return parseCredential(document["x-credential"]);
}

function parseCredential(raw: unknown): Credential | undefined {
  const { in: location, name, schemes, description } = membersOf(raw);
  if (
    (location !== "header" && location !== "query") ||
    typeof name !== "string"
  )
    return undefined;
  return {
    in: location,
    name,
    schemes: stringsIn(schemes),
    ...stringMembers({ description }),
  };
}

/** Reports a query credential whose parameter is not declared. */
function checkCredential(
  credential: Credential | undefined,
  { id, parameters }: Pick<Method, "id" | "parameters">,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (credential?.in !== "query") return;
  const { name } = credential;
  const isDeclared =
    context.commonNames.includes(name) ||
    parameters.some((parameter) => parameter.name === name);
  if (!isDeclared)
    context.report(
      "extension-unresolved",
      `${id}: x-credential contains ${JSON.stringify(name)}, which is not a parameter of the method`,
      at,
    );
}

/**
 * Parses the `x-paging` extension of a method. Reports an invalid value, an
 * undeclared parameter, or a response that is not an array, and returns
 * undefined in these cases.
 */
function linkPagination(
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
