/* eslint-disable */
// biome-ignore-all lint: generated

import type { ErrorEntries, ErrorEntry } from "../contract.js";
import { codeOf, reasonOf, type ApiError, type Problem } from "../error.js";

/** Values of an error, keyed by placeholder name, such as `message`. */
type ErrorValues = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the error body that the API description defines; undefined if there
 * is no definition.
 *
 * @param entries error definitions of the method and of the API, in order of
 *   precedence.
 */
export function describedEnvelope(
  error: ApiError,
  entries: readonly (ErrorEntries | undefined)[],
  documentation: string | undefined,
): unknown {
  const { status, extras } = error;
  const candidates = [
    ...entries.map((one) => one?.[status]),
    ...entries.map((one) => one?.["default"]),
  ].filter((entry) => entry !== undefined);
  const entryWithBody = candidates.find(({ body }) => body !== undefined);
  if (entryWithBody === undefined) return undefined;
  const defaultOf = (name: "message" | "reason" | "code"): string | undefined =>
    candidates.find((entry) => entry[name] !== undefined)?.[name];
  const isDetected = extras.detectedAs !== undefined;
  // If the body also lists all problems, its main message must be a general
  // summary instead of the message of the first problem.
  const isGeneral =
    extras.detectedAs === "standard" ||
    error.message === "" ||
    (isDetected && hasList(entryWithBody.body));
  const message = isGeneral
    ? (defaultOf("message") ?? error.message)
    : error.message;
  const reason = isDetected
    ? (defaultOf("reason") ?? extras.reason)
    : (extras.reason ?? defaultOf("reason"));
  const code = isDetected
    ? defaultOf("code")
    : (extras.code ?? defaultOf("code"));
  const values: ErrorValues = { status, message, reason, code, documentation };
  const problems = extras.problems ?? [{ message }];
  return new TemplateFiller(entryWithBody, values, problems).fill(
    entryWithBody.body,
    "",
  );
}

function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1;
  const isObject = typeof value === "object" && value !== null;
  return isObject && Object.values(value).some(hasList);
}

/** Fills a body template with the values of an error. */
class TemplateFiller {
  readonly #entry: ErrorEntry;
  readonly #values: ErrorValues;
  readonly #problems: readonly Problem[];

  constructor(
    entry: ErrorEntry,
    values: ErrorValues,
    problems: readonly Problem[],
  ) {
    this.#entry = entry;
    this.#values = values;
    this.#problems = problems;
  }

  /**
   * Returns the value of a body member; undefined if the member must be
   * omitted.
   */
  fill(value: unknown, pointer: string, problem?: Problem): unknown {
    if (typeof value === "string") return this.#text(value, pointer, problem);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return this.#list(value, pointer);
    return Object.fromEntries(
      Object.entries(value)
        .map(
          ([name, member]) =>
            [name, this.fill(member, `${pointer}/${name}`, problem)] as const,
        )
        .filter(([, member]) => member !== undefined),
    );
  }

  /**
   * Fills the elements of a list in a body template. A list with a single
   * element is expanded to one element for each problem.
   */
  #list(list: readonly unknown[], pointer: string): unknown[] {
    if (list.length !== 1)
      return list.map((one, index) => this.fill(one, `${pointer}/${index}`));
    return this.#problems.map((problem) =>
      this.fill(list[0], `${pointer}/0`, problem),
    );
  }

  #text(text: string, pointer: string, problem: Problem | undefined): unknown {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    if (name === undefined) return text;
    const value = this.#value(name, problem);
    if (value === undefined)
      return this.#entry.nullable?.includes(pointer) === true
        ? null
        : undefined;
    return this.#entry.numbers?.includes(pointer) === true
      ? Number(value)
      : String(value);
  }

  #value(
    name: string,
    problem: Problem | undefined,
  ): string | number | undefined {
    if (name === "field") return (problem ?? this.#problems[0])?.location;
    if (problem === undefined) return this.#values[name];
    const problemValues = { message: problem.message, code: problem.code };
    return (
      problemValues[name as keyof typeof problemValues] ?? this.#values[name]
    );
  }
}

/**
 * Returns an error body in the format of Google APIs, with members for clients
 * of the older format (`errors`) and of the newer format (`status`, `details`).
 */
export function standardEnvelope(error: ApiError): object {
  const { status, message, extras } = error;
  const reason = extras.reason ?? reasonOf(status);
  const problems = extras.problems ?? [{ message, reason }];
  return {
    error: {
      code: status,
      message,
      errors: problems.map((problem) => errorItem(problem, reason)),
      status: extras.code ?? codeOf(status),
      ...(extras.details === undefined ? {} : { details: extras.details }),
    },
  };
}

function errorItem(problem: Problem, reason: string): object {
  const { location, locationType } = problem;
  return {
    message: problem.message,
    domain: "global",
    reason: problem.reason ?? reason,
    ...(location === undefined ? {} : { location }),
    ...(locationType === undefined ? {} : { locationType }),
  };
}
