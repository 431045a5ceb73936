/* eslint-disable */
// biome-ignore-all lint: generated

import type { MethodDefinition } from "../contract.js";
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
import type { PreparedCall } from "../contract.js";

/** Media type of JSON responses; some clients accept no other spelling. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Settings for writing responses. */
export interface ResponseSettings {
  /** True if bodies are wrapped in `{data: ...}`. */
  readonly wrap: boolean;
  readonly validate: boolean;
  /** Serialized response, if the handler supplied it. */
  readonly json?: string | Uint8Array | undefined;
}

/** Format of a response requested by the caller. */
export interface ResponseForm {
  readonly fields: Selection | undefined;
  readonly isPretty: boolean;
}

/**
 * Writes the result of a handler as a response.
 *
 * @throws TypeError for a result that violates the method's definition.
 */
export function writeResponse(
  result: unknown,
  call: ServerCall,
  method: MethodDefinition,
  asked: ResponseForm,
  settings: ResponseSettings,
): Outgoing {
  const answer = writeValue(result, call, method, asked, settings);
  if (answer.status < 400 && answer.status !== 304)
    requireHeaders(answer.headers, method);
  return answer;
}

function writeValue(
  result: unknown,
  call: ServerCall,
  method: MethodDefinition,
  asked: ResponseForm,
  settings: ResponseSettings,
): Outgoing {
  if (result instanceof Reply) {
    const { value, status, headers, json } = result;
    const plain = writeValue(value, call, method, asked, { ...settings, json });
    addHeaders(plain.headers, headers as HeaderValues);
    const answer: Outgoing = { ...plain, status: status ?? plain.status };
    if (isUnchanged(answer, call)) return bare(304, answer);
    return BARE.has(answer.status) ? bare(answer.status, answer) : answer;
  }
  if (result instanceof Page) {
    const plain = writeValue(result.items, call, method, asked, settings);
    addLinks(plain.headers, result, call, method);
    return plain;
  }
  if (result instanceof Content)
    return writeContent(result.source, call.request);
  if (call.wantsContent)
    throw new TypeError(
      `${method.id}: the handler must return content() for alt=media`,
    );
  const status = method.status ?? (method.hasResponse === true ? 200 : 204);
  if (BARE.has(status)) return { status, headers: {} };
  if (isRedirectStatus(status)) return { status, headers: redirection(result) };
  if (method.stream !== undefined && isAsyncIterable(result))
    throw new TypeError(
      `${method.id}: the handler returned events; expected a value, since the request does not select a stream`,
    );
  if (settings.validate) check(result, method, asked);
  return {
    status,
    headers: { "content-type": JSON_TYPE },
    body: toJson(result, asked, settings),
  };
}

/** Statuses of responses without a body. */
const BARE = new Set([204, 205, 304]);

function bare(status: number, answer: Outgoing): Outgoing {
  const { "content-type": _, ...headers } = answer.headers;
  return { status, headers };
}

/** Adds the links to other pages. */
function addLinks(
  headers: Record<string, string>,
  { position }: Page<unknown>,
  { params, request }: ServerCall,
  { id, paging, parameters = {} }: MethodDefinition,
): void {
  if (paging === undefined)
    throw new TypeError(
      `${id}: the handler returned page(); expected a value, since the method has no x-paging`,
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

/** Returns true if the caller of a GET has a current copy by its entity tag. */
function isUnchanged(
  { status, headers }: Outgoing,
  { request }: ServerCall,
): boolean {
  const { etag } = headers;
  if (etag === undefined || status !== 200) return false;
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && conditionOf(request, etag) === 304;
}

function redirection(result: unknown): Record<string, string> {
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

const PLAIN: ResponseForm = { fields: undefined, isPretty: false };

/**
 * Returns the requested format of a response.
 *
 * @throws ApiError 400 for an invalid selection of fields.
 */
export function responseForm({
  fields,
  prettyPrint,
}: PreparedCall["form"]): ResponseForm {
  if (fields === undefined && prettyPrint !== true) return PLAIN;
  return {
    fields:
      typeof fields === "string" && fields !== ""
        ? parseFields(fields)
        : undefined,
    isPretty: prettyPrint === true,
  };
}

function check(
  result: unknown,
  method: MethodDefinition,
  asked: ResponseForm,
): void {
  const partial = asked.fields !== undefined;
  const found = method.validateResponse?.(result, {
    mode: "response",
    partial,
  });
  if (found === undefined || found.valid === true) return;
  const first = found.errors
    .slice(0, 10)
    .map(({ pointer, message }) => `${pointer} ${message}`);
  throw new TypeError(
    `the response of ${method.id} is not valid: ${first.join("; ")}`,
  );
}
