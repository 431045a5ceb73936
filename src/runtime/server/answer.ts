import type { Endpoint } from "./endpoint.js";
import { Reply } from "./call.js";
import { ApiError } from "./error.js";
import { parseFields, select } from "./fields.js";
import type { Values } from "./parameters.js";
import type { Outgoing } from "./request.js";

/** The one media type of answers; some clients take no other for JSON. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** What of an API decides how its answers are written. */
export interface AnswerSettings {
  /** Whether bodies are in an envelope `{data: ...}`. */
  readonly wrap: boolean;
  /** Whether the API has the common parameter `fields`. */
  readonly hasFields: boolean;
  /** Whether the API has the common parameter `prettyPrint`. */
  readonly hasPrettyPrint: boolean;
  readonly validate: boolean;
}

/** What a handler returned, as an answer. */
export function writeAnswer(
  result: unknown,
  endpoint: Endpoint,
  values: Values,
  settings: AnswerSettings,
): Outgoing {
  if (result instanceof Reply) {
    const { value, status, headers } = result;
    const plain = writeAnswer(value, endpoint, values, settings);
    return {
      ...plain,
      status: status ?? plain.status,
      headers: { ...plain.headers, ...headers },
    };
  }
  const { method } = endpoint;
  const status = method.status ?? (method.answers === true ? 200 : 204);
  if (status === 204 || (status >= 300 && status < 400))
    return { status, headers: {} };
  if (settings.validate) check(result, endpoint);
  return {
    status,
    headers: { "content-type": JSON_TYPE },
    body: toJson(result, values, settings),
  };
}

function toJson(
  result: unknown,
  values: Values,
  { wrap, hasFields, hasPrettyPrint }: AnswerSettings,
): string {
  const { fields, prettyPrint } = values;
  let value = result ?? {};
  if (wrap) value = { data: value };
  if (hasFields && typeof fields === "string" && fields !== "")
    value = select(value, parseFields(fields)) as object;
  return JSON.stringify(
    value,
    undefined,
    hasPrettyPrint && prettyPrint === true ? 2 : undefined,
  );
}

function check(result: unknown, { method }: Endpoint): void {
  const violations = method.validateAnswer?.(result);
  if (violations === undefined || violations.length === 0) return;
  const first = violations
    .slice(0, 10)
    .map(({ pointer, message }) => `${pointer}: ${message}`);
  const cause = new TypeError(
    `the answer of ${method.id}: ${first.join("; ")}`,
  );
  throw new ApiError(500, "Internal error.", { cause });
}
