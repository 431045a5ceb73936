// Longer than other files: a reader for each extension, and what they have in common.

import { canonicalValue, sortedKeys } from "../../load/canonical.js";
import type {
  RawDocument,
  RawExtensions,
  RawMethod,
  RawSchema,
} from "../../load/raw.js";
import type {
  Api,
  Credential,
  Mutable,
  ErrorRule,
  Method,
  Parameter,
  Schema,
  Stream,
} from "../ir.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import { linkPagination } from "../infer/link-pagination.js";
import { checkErrors } from "../infer/error-rules.js";
import { buildParameter } from "./parameter.js";
import { buildNode } from "./schema.js";
import { isRedirectStatus } from "../../runtime/server/responses/redirects.js";

type Fields = Readonly<Record<string, unknown>>;

/** What the extensions of a method and of its document say; absent ones stay so. */
export function addExtensions(
  method: Mutable<Method>,
  raw: RawMethod,
  document: RawExtensions,
  at: DocumentPath,
  context: BuildContext,
): void {
  const { id } = method;
  const headers = withoutClashes(
    headersOf("x-headers", id, raw, document, at, context),
    method,
    raw,
    at,
    context,
  );
  const answered = headersOf(
    "x-response-headers",
    id,
    raw,
    document,
    at,
    context,
  );
  const credential = credentialOf(raw["x-credential"], document);
  const errors = checkErrors(
    errorRules(raw["x-errors"]),
    errorRules(document["x-errors"]),
    at,
    context,
  );
  checkCredential(credential, method, at, context);
  const links = linkPagination(method, raw["x-paging"], at, context);
  const stream = streamOf(method, raw, at, context);
  const result = resultOf(id, raw["x-operation"], at, context);
  const status = raw["x-status"];
  const forms = texts(raw["x-body-parameters"]);
  if (headers.length > 0) method.headers = headers;
  if (answered.length > 0) method.responseHeaders = answered;
  if (credential !== undefined) method.credential = credential;
  if (differs(credential, documentCredential(document)))
    method.hasOwnCredential = true;
  if (errors.length > 0) method.errors = errors;
  if (links !== undefined) method.links = links;
  if (stream !== undefined) method.stream = stream;
  if (result !== undefined) method.operation = { style: "done", result };
  if (Number.isInteger(status)) method.status = status as number;
  if (isRedirectStatus(method.status)) method.redirects = true;
  if (forms.length > 0) method.bodyParameters = forms;
}

/** `x-errors`: a row for each status. */
export function errorRules(raw: unknown): ErrorRule[] {
  return entriesOf(raw).flatMap(([status, entry]) => {
    if (!/^(?:[1-5]\d\d|default)$/.test(status)) return [];
    const { description, $ref, body, message, reason, code } = fieldsOf(entry);
    return [
      {
        status,
        ...textual({ description, schema: $ref, message, reason, code }),
        ...(body === undefined ? {} : { body: canonicalValue(body) }),
      },
    ];
  });
}

/** In one object of parameters two of one name can't be told apart. */
function withoutClashes(
  headers: readonly Parameter[],
  { id, parameters }: Mutable<Method>,
  raw: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): Parameter[] {
  const taken = new Set(parameters.map(({ name }) => name));
  for (const name of ["requestBody", "media"]) taken.add(name);
  return headers.filter(({ name }) => {
    if (!taken.has(name)) return true;
    const isOwn = Object.hasOwn(fieldsOf(raw["x-headers"]), name);
    context.report(
      "extension-invalid",
      `${id}: the header ${JSON.stringify(name)} has the name of a parameter`,
      child(isOwn ? at : undefined, "x-headers", name),
    );
    return false;
  });
}

/** A credential in the query is the value of a parameter that is declared. */
function checkCredential(
  credential: Credential | undefined,
  { id, parameters }: Mutable<Method>,
  at: DocumentPath,
  context: BuildContext,
): void {
  const { in: place, name } = credential ?? {};
  const isThere = [
    ...parameters.map((parameter) => parameter.name),
    ...context.commonNames,
  ].some((declared) => declared === name);
  if (place === "query" && !isThere)
    context.report(
      "extension-unresolved",
      `${id}: x-credential names ${JSON.stringify(name)}, which is no parameter of the method`,
      at,
    );
}

function differs(a: Credential | undefined, b: Credential | undefined) {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/** Those of the document and the method; of two with one name that of the method. */
function headersOf(
  key: "x-headers" | "x-response-headers",
  id: string,
  raw: RawMethod,
  document: RawExtensions,
  at: DocumentPath,
  context: BuildContext,
): Parameter[] {
  const own = entriesOf(raw[key]);
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const shared = entriesOf(document[key]).filter(
    ([name]) => !names.has(name.toLowerCase()),
  );
  return [...shared, ...own].map(([name, schema]) =>
    buildParameter(
      id,
      name,
      fieldsOf(schema) as RawSchema,
      child(own.some(([own]) => own === name) ? at : undefined, key, name),
      context,
    ),
  );
}

function credentialOf(
  own: unknown,
  document: RawExtensions,
): Credential | undefined {
  if (own === false) return undefined;
  return own === undefined ? documentCredential(document) : credentialIn(own);
}

function documentCredential(document: RawExtensions): Credential | undefined {
  return credentialIn(document["x-credential"]);
}

function credentialIn(raw: unknown): Credential | undefined {
  const { in: place, name, schemes, description } = fieldsOf(raw);
  if ((place !== "header" && place !== "query") || typeof name !== "string")
    return undefined;
  const words = textual({ description });
  return { in: place, name, schemes: texts(schemes), ...words };
}

/**
 * How an answer can be had in pieces: as events, or as the elements of a JSON
 * array, which is what the server gives for a method with `streamingType`.
 */
function streamOf(
  { id, response }: Mutable<Method>,
  { "x-stream": raw, streamingType = "" }: RawMethod,
  at: DocumentPath,
  context: BuildContext,
): Stream | undefined {
  const { when, $ref, end } = fieldsOf(raw);
  if (typeof $ref !== "string")
    return /server|bidi/i.test(streamingType) && response !== undefined
      ? { format: "array", element: response }
      : undefined;
  const place = child(at, "x-stream");
  const inline = { id, field: "stream", depth: 0 };
  return {
    format: "events",
    element: buildNode({ $ref }, place, context, inline),
    ...(when === undefined ? {} : { when: fieldsOf(canonicalValue(when)) }),
    ...textual({ end }),
  };
}

/** What a long-running operation ends with. */
function resultOf(
  id: string,
  raw: unknown,
  at: DocumentPath,
  context: BuildContext,
): Schema | undefined {
  const { response } = fieldsOf(raw);
  if (typeof response !== "string") return undefined;
  const place = child(at, "x-operation", "response");
  const inline = { id, field: "result", depth: 0 };
  return buildNode({ $ref: response }, place, context, inline);
}

/** Extensions of the document that its methods do not repeat. */
export function documentExtensions(
  document: RawDocument,
  context: BuildContext,
): Pick<Api, "errors" | "credential" | "responseHeaders"> {
  const rules = errorRules(document["x-errors"]);
  const errors = checkErrors(rules, rules, undefined, context);
  const credential = documentCredential(document);
  const headers = entriesOf(document["x-response-headers"]);
  const responseHeaders = headers.map(([name, schema]) =>
    buildParameter(
      document.name!,
      name,
      fieldsOf(schema) as RawSchema,
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

/** Members of an object in canonical order; none of anything else. */
function entriesOf(value: unknown): [key: string, value: unknown][] {
  const fields = fieldsOf(value);
  return sortedKeys(fields).map((key) => [key, fields[key]]);
}

function fieldsOf(value: unknown): Fields {
  const isObject =
    typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : {};
}

function texts(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((entry) => typeof entry === "string");
}

function textual(entries: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
