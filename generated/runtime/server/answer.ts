import type { Method } from "./api.js";
import { Reply, type ServerCall } from "./call.js";
import { Content } from "./content.js";
import { conditionOf, writeContent } from "./download.js";
import { parseFields, select, type Selection } from "./fields.js";
import type { Outgoing } from "./request.js";
import type { Prepared } from "./uploads.js";

/** The one media type of answers; some clients take no other for JSON. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** What of an API decides how its answers are written. */
export interface AnswerSettings {
  /** Whether bodies are in an envelope `{data: ...}`. */
  readonly wrap: boolean;
  readonly validate: boolean;
  /** The answer at hand as JSON, if the handler has it. */
  readonly json?: string | Uint8Array | undefined;
}

/** The form of an answer. */
export interface Asked {
  readonly fields: Selection | undefined;
  readonly isPretty: boolean;
}

/** What a handler returned, as an answer. */
export function writeAnswer(
  result: unknown,
  call: ServerCall,
  method: Method,
  asked: Asked,
  settings: AnswerSettings,
): Outgoing {
  if (result instanceof Reply) {
    const { value, status, headers } = result;
    const plain = writeAnswer(value, call, method, asked, {
      ...settings,
      json: result.json,
    });
    const answer: Outgoing = {
      ...plain,
      status: status ?? plain.status,
      headers: { ...plain.headers, ...headers },
    };
    return isUnchanged(answer, call)
      ? { status: 304, headers: { ...headers } }
      : answer;
  }
  if (result instanceof Content)
    return writeContent(result.source, call.request);
  if (call.wantsContent)
    throw new TypeError(`${method.id} gave no content for alt=media`);
  const status = method.status ?? (method.answers === true ? 200 : 204);
  if (status === 204) return { status, headers: {} };
  if (status >= 300 && status < 400)
    return { status, headers: { location: String(result) } };
  if (settings.validate) check(result, method, asked);
  return {
    status,
    headers: { "content-type": JSON_TYPE },
    body: toJson(result, asked, settings),
  };
}

/** Whether the caller of a GET has an answer of this entity tag already. */
function isUnchanged(
  { status, headers }: Outgoing,
  { request }: ServerCall,
): boolean {
  const { etag } = headers;
  if (etag === undefined || status !== 200) return false;
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && conditionOf(request, etag) === 304;
}

function toJson(
  result: unknown,
  { fields, isPretty }: Asked,
  { wrap, json }: AnswerSettings,
): string | Uint8Array {
  if (json !== undefined && fields === undefined && !isPretty && !wrap)
    return json;
  let value = result ?? {};
  if (wrap) value = { data: value };
  if (fields !== undefined) value = select(value, fields) as object;
  return isPretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
}

const PLAIN: Asked = { fields: undefined, isPretty: false };

/**
 * What a request asks of the form of its answer.
 *
 * @throws ApiError 400 for a selection of fields that is none.
 */
export function askedOf({ fields, prettyPrint }: Prepared["form"]): Asked {
  if (fields === undefined && prettyPrint !== true) return PLAIN;
  return {
    fields:
      typeof fields === "string" && fields !== ""
        ? parseFields(fields)
        : undefined,
    isPretty: prettyPrint === true,
  };
}

function check(result: unknown, method: Method, asked: Asked): void {
  const partial = asked.fields !== undefined;
  const found = method.validateAnswer?.(result, { mode: "response", partial });
  if (found === undefined || found.valid) return;
  const first = found.errors
    .slice(0, 10)
    .map(({ pointer, message }) => `${pointer} ${message}`);
  throw new TypeError(`the answer of ${method.id}: ${first.join("; ")}`);
}
