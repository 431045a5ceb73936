import type { ReadError } from "./contract.js";
import { readEnvelope, type Envelope } from "./error.js";
import { isApiError, type ApiError, type Problem } from "./error.js";
import { ownValue } from "./values.js";

/** HTTP error status codes of the IANA registry. */
export type ErrorStatus =
  | (
      | 400
      | 401
      | 402
      | 403
      | 404
      | 405
      | 406
      | 407
      | 408
      | 409
      | 410
      | 411
      | 412
    )
  | (
      | 413
      | 414
      | 415
      | 416
      | 417
      | 418
      | 421
      | 422
      | 423
      | 424
      | 425
      | 426
      | 428
    )
  | (
      | 429
      | 431
      | 451
      | 500
      | 501
      | 502
      | 503
      | 504
      | 505
      | 506
      | 507
      | 508
      | 511
    );

/**
 * Error whose body has the structure that the API description declares for the
 * HTTP status.
 */
export interface DescribedError<S extends number, D> extends ApiError {
  readonly kind: "http";
  readonly status: S;
  /**
   * Parsed body. The structure of the body has been checked, but not the types
   * of all members.
   */
  readonly data: D;
}

/**
 * Map from placeholder name, such as `message`, to the value in the error
 * body.
 */
type ErrorFields = Partial<Record<string, string>>;

/**
 * Returns a function that parses error bodies according to templates. The
 * templates are keyed by HTTP status or `default`. A template describes the
 * structure of a body, such as `{ msg: "{message}" }`. A body that does not
 * match its template is parsed by {@link readEnvelope}.
 */
/* @__NO_SIDE_EFFECTS__ */
export function describedErrors(
  templates: Readonly<Record<string, unknown>>,
): ReadError {
  return (text, status) => {
    const standardEnvelope = readEnvelope(text);
    const template = templates[status] ?? templates["default"];
    const fields: ErrorFields = {};
    const listed: ErrorFields[] = [];
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return standardEnvelope;
    }
    if (!isObject(template) || !matches(template, data, fields, listed))
      return standardEnvelope;
    return {
      ...standardEnvelope,
      data,
      ...toEnvelope(fields, listed, standardEnvelope),
    };
  };
}

/**
 * Tests whether an error is a {@link DescribedError} of a method whose ID has
 * the given prefix.
 */
export function isDescribedError(error: unknown, prefix: string): boolean {
  return (
    isApiError(error) &&
    error.data !== undefined &&
    error.methodId.startsWith(prefix)
  );
}

function toEnvelope(
  fields: ErrorFields,
  listed: readonly ErrorFields[],
  standardEnvelope: Envelope,
): Partial<Envelope> {
  const [first = {}] = listed;
  const textOf = (name: string) => fields[name] ?? first[name];
  const problems = listed.length > 0 ? listed : [fields];
  return {
    serverMessage: textOf("message") ?? standardEnvelope.serverMessage,
    serverCode: textOf("code") ?? standardEnvelope.serverCode,
    reason: textOf("reason") ?? standardEnvelope.reason,
    field: textOf("field"),
    problems: problems.map(toProblem),
  };
}

/**
 * Creates a `Problem` from the values in an error body; omits properties
 * without a value.
 */
function toProblem(fields: ErrorFields): Problem {
  const names = ["message", "code", "reason", "field"];
  const present = names.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, fields[name]]));
}

/**
 * Tests whether a value has the structure of a template, and collects the
 * values at the template's placeholders. The value may omit members of the
 * template, and literal strings of the template are not compared.
 *
 * @param fields receives the values, keyed by placeholder name.
 * @param listed receives the values of each element of a list.
 */
function matches(
  template: unknown,
  value: unknown,
  fields: ErrorFields,
  listed: ErrorFields[],
): boolean {
  if (value == null) return true;
  if (typeof template === "string") return collect(template, value, fields);
  if (Array.isArray(template))
    return Array.isArray(value) && everyMatches(template, value, listed);
  if (!isObject(template)) return true;
  return (
    isObject(value) &&
    Object.keys(template).some((key) => Object.hasOwn(value, key)) &&
    Object.entries(template).every(([key, part]) =>
      matches(part, ownValue(value, key), fields, listed),
    )
  );
}

/**
 * Tests whether a list matches a template. If the template has one element,
 * every element of the list must match this element; other templates match any
 * list.
 */
function everyMatches(
  template: readonly unknown[],
  values: readonly unknown[],
  listed: ErrorFields[],
): boolean {
  if (template.length !== 1) return true;
  return values.every((value) => {
    const fields: ErrorFields = {};
    listed.push(fields);
    return matches(template[0], value, fields, []);
  });
}

function collect(
  template: string,
  value: unknown,
  fields: ErrorFields,
): boolean {
  if (typeof value === "object") return false;
  const name = /^\{(\w+)\}$/.exec(template)?.[1];
  if (name) fields[name] ??= String(value);
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
