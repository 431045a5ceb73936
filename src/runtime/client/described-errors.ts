import type { ReadError } from "./contract.js";
import { readEnvelope, type Envelope } from "./envelope.js";
import { isApiError, type ApiError, type Problem } from "./error.js";

/** The statuses of failures that HTTP defines (IANA's registry). */
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

/** An error whose body has the form that the description gives this status. */
export interface DescribedError<S extends number, D> extends ApiError {
  readonly kind: "http";
  readonly status: S;
  /** The body, whose form was looked at, not every member. */
  readonly data: D;
}

/** What a body says of a failure. */
type ErrorFields = Partial<Record<string, string>>;

/**
 * Reads bodies of errors by templates, such as `{ msg: "{message}" }`, by
 * status or `default`. A body that does not fit is read as any other is.
 */
/* @__NO_SIDE_EFFECTS__ */
export function describedErrors(
  templates: Readonly<Record<string, unknown>>,
): ReadError {
  return (text, status) => {
    const usual = readEnvelope(text);
    const template = templates[status] ?? templates["default"];
    const facts: ErrorFields = {};
    const listed: ErrorFields[] = [];
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return usual;
    }
    if (!isObject(template) || !matches(template, data, facts, listed))
      return usual;
    return { ...usual, data, ...envelopeOf(facts, listed, usual) };
  };
}

/** Whether an error is one of an API, in the form that its description gives. */
export function isDescribedError(error: unknown, prefix: string): boolean {
  return (
    isApiError(error) &&
    error.data !== undefined &&
    error.methodId.startsWith(prefix)
  );
}

function envelopeOf(
  facts: ErrorFields,
  listed: readonly ErrorFields[],
  usual: Envelope,
): Partial<Envelope> {
  const [first = {}] = listed;
  const word = (name: string) => facts[name] ?? first[name];
  const all = listed.length > 0 ? listed : [facts];
  return {
    serverMessage: word("message") ?? usual.serverMessage,
    code: word("code") ?? usual.code,
    reason: word("reason") ?? usual.reason,
    field: word("field"),
    problems: all.map(problemOf),
  };
}

/** Of what is missing there is no property. */
function problemOf(facts: ErrorFields): Problem {
  const names = ["message", "code", "reason", "field"];
  const told = names.filter((name) => facts[name] !== undefined);
  return Object.fromEntries(told.map((name) => [name, facts[name]]));
}

/**
 * Whether a value has the form of a template, whose facts are gathered. Facts
 * may be absent, and literal texts may differ.
 *
 * @param listed facts of each element of a list.
 */
function matches(
  template: unknown,
  value: unknown,
  facts: ErrorFields,
  listed: ErrorFields[],
): boolean {
  if (value == null) return true;
  if (typeof template === "string") return collect(template, value, facts);
  if (Array.isArray(template))
    return Array.isArray(value) && everyMatches(template, value, listed);
  if (!isObject(template)) return true;
  return (
    isObject(value) &&
    Object.keys(template).some((key) => Object.hasOwn(value, key)) &&
    Object.entries(template).every(([key, part]) =>
      matches(part, own(value, key), facts, listed),
    )
  );
}

/** A list of one stands for a list of problems; others are literal. */
function everyMatches(
  template: readonly unknown[],
  values: readonly unknown[],
  listed: ErrorFields[],
): boolean {
  if (template.length !== 1) return true;
  return values.every((value) => {
    const facts: ErrorFields = {};
    listed.push(facts);
    return matches(template[0], value, facts, []);
  });
}

function collect(
  template: string,
  value: unknown,
  facts: ErrorFields,
): boolean {
  if (typeof value === "object") return false;
  const name = /^\{(\w+)\}$/.exec(template)?.[1];
  if (name) facts[name] ??= String(value);
  return true;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
