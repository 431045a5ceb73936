/* eslint-disable */
// biome-ignore-all lint: generated

import type { MethodDefinition, PreparedCall } from "../contract.js";
import { Reply, type ServerCall } from "../call.js";
import { Content } from "../content.js";
import { conditionOf, writeContent } from "./download.js";
import { parseFields, select, type Selection } from "./fields.js";
import { isAsyncIterable } from "./events.js";
import { addHeaders, requireHeaders, type HeaderValues } from "../headers.js";
import { Page } from "../page.js";
import { pageLinks } from "./page-links.js";
import { isRedirectStatus } from "./redirects.js";
import type { Outgoing } from "../request.js";

/**
 * Media type of JSON responses. It must have exactly this spelling, because
 * some clients reject other spellings.
 */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Settings for writing responses. */
export interface ResponseSettings {
  /** True if bodies are wrapped in `{data: ...}`. */
  readonly wrap: boolean;
  readonly validate: boolean;
  /** Response body as JSON, if the handler has already serialized it. */
  readonly json?: string | Uint8Array | undefined;
}

/** Response format that the caller requests. */
export interface ResponseForm {
  readonly fields: Selection | undefined;
  readonly isPretty: boolean;
}

/**
 * Writes the result of a handler as a response.
 *
 * @throws TypeError if the result does not match the definition of the method.
 */
export function writeResponse(
  result: unknown,
  call: ServerCall,
  method: MethodDefinition,
  form: ResponseForm,
  settings: ResponseSettings,
): Outgoing {
  const response = writeValue(result, call, method, form, settings);
  if (response.status < 400 && response.status !== 304)
    requireHeaders(response.headers, method);
  return response;
}

function writeValue(
  result: unknown,
  call: ServerCall,
  method: MethodDefinition,
  form: ResponseForm,
  settings: ResponseSettings,
): Outgoing {
  if (result instanceof Reply) {
    const { value, status, headers, json } = result;
    const written = writeValue(value, call, method, form, {
      ...settings,
      json,
    });
    addHeaders(written.headers, headers as HeaderValues);
    const response: Outgoing = { ...written, status: status ?? written.status };
    if (isUnchanged(response, call)) return withoutBody(304, response);
    return BODILESS.has(response.status)
      ? withoutBody(response.status, response)
      : response;
  }
  if (result instanceof Page) {
    const written = writeValue(result.items, call, method, form, settings);
    addLinks(written.headers, result, call, method);
    return written;
  }
  if (result instanceof Content)
    return writeContent(result.source, call.request);
  if (call.wantsContent)
    throw new TypeError(
      `${method.id}: the handler must return content() for alt=media`,
    );
  const status = method.status ?? (method.hasResponse === true ? 200 : 204);
  if (BODILESS.has(status)) return { status, headers: {} };
  if (isRedirectStatus(status))
    return { status, headers: redirectHeaders(result) };
  if (method.stream !== undefined && isAsyncIterable(result))
    throw new TypeError(
      `${method.id}: the handler returned events; expected a value, because the call does not request a stream`,
    );
  if (settings.validate) validateResult(result, method, form);
  return {
    status,
    headers: { "content-type": JSON_TYPE },
    body: toJson(result, form, settings),
  };
}

/** Status codes of responses without a body. */
const BODILESS = new Set([204, 205, 304]);

function withoutBody(status: number, response: Outgoing): Outgoing {
  const { "content-type": _, ...headers } = response.headers;
  return { status, headers };
}

/** Adds the header that contains the links to other pages. */
function addLinks(
  headers: Record<string, string>,
  { position }: Page<unknown>,
  { params, request }: ServerCall,
  { id, paging, parameters = {} }: MethodDefinition,
): void {
  if (paging === undefined)
    throw new TypeError(
      `${id}: the handler returned page(); expected a value, because the method has no x-paging`,
    );
  const rules = parameters[paging.page];
  const start = typeof rules === "object" ? rules.default : undefined;
  const links = pageLinks(
    paging,
    position,
    params as Readonly<Record<string, unknown>>,
    Number(start ?? 1),
    request,
  );
  addHeaders(headers, { [paging.link]: links });
}

/**
 * Tests whether a GET or HEAD request must result in status 304, because the
 * caller already has the content with this entity tag.
 */
function isUnchanged(
  { status, headers }: Outgoing,
  { request }: ServerCall,
): boolean {
  const { etag } = headers;
  if (etag === undefined || status !== 200) return false;
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && conditionOf(request, etag) === 304;
}

function redirectHeaders(result: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  addHeaders(headers, { location: String(result) });
  return headers;
}

function toJson(
  result: unknown,
  { fields, isPretty }: ResponseForm,
  { wrap, json }: ResponseSettings,
): string | Uint8Array {
  if (json !== undefined && fields === undefined && !isPretty && !wrap)
    return json;
  let value = result ?? {};
  if (wrap) value = { data: value };
  if (fields !== undefined) value = select(value, fields) as object;
  return isPretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
}

const DEFAULT_FORM: ResponseForm = { fields: undefined, isPretty: false };

/**
 * Returns the requested format of a response.
 *
 * @throws ApiError 400 if the selection of fields is invalid.
 */
export function responseForm({
  fields,
  prettyPrint,
}: PreparedCall["form"]): ResponseForm {
  if (fields === undefined && prettyPrint !== true) return DEFAULT_FORM;
  return {
    fields:
      typeof fields === "string" && fields !== ""
        ? parseFields(fields)
        : undefined,
    isPretty: prettyPrint === true,
  };
}

function validateResult(
  result: unknown,
  method: MethodDefinition,
  form: ResponseForm,
): void {
  const partial = form.fields !== undefined;
  const validation = method.validateResponse?.(result, {
    mode: "response",
    partial,
  });
  if (validation === undefined || validation.valid === true) return;
  const first = validation.errors
    .slice(0, 10)
    .map(({ pointer, message }) => `${pointer} ${message}`);
  throw new TypeError(
    `the response of ${method.id} is not valid: ${first.join("; ")}`,
  );
}
