// This file is longer than 250 lines, because a single class reads all
// parameters of a request, so that the response can list all invalid
// parameters.

import type { ParameterDefinitions } from "../contract.js";
import { invalid, type ApiError, type Problem } from "../error.js";
import {
  compileParameter,
  InvalidValue,
  problemOf,
  type Decoder,
} from "./decoder.js";
import { decodeLeniently, decodeMulti } from "../routing/percent.js";
import { readQuery } from "./query.js";
import type { ServerRequest } from "../request.js";
import type { Capture } from "../routing/template.js";

/** Compiled parameters of a method, grouped by location. */
export interface ParameterSet {
  readonly path: ReadonlyMap<string, Decoder>;
  readonly query: ReadonlyMap<string, Decoder>;
  readonly headers: readonly Decoder[];
  /** Parameters that are required or have a default value. */
  readonly expected: readonly Decoder[];
}

/** Decoded values, keyed by parameter name. */
export type Values = Record<string, unknown>;

/**
 * Constructor of objects without inherited members. Such objects are needed
 * because a parameter can be named `__proto__`. The constructor is faster than
 * `Object.create(null)`, because V8 stores the result of `Object.create(null)`
 * as a hash table.
 */
const NullPrototypeObject = function () {} as unknown as new () => Values;
NullPrototypeObject.prototype = Object.create(null);

/** Returns an object without own or inherited members. */
export function emptyValues(): Values {
  return new NullPrototypeObject();
}

/**
 * Compiles the parameters of a method. They override parameters of the same
 * name that all methods share.
 */
export function compileParameters(
  definitions: ParameterDefinitions,
  common: ReadonlyMap<string, Decoder>,
  pathNames: ReadonlySet<string>,
  isDownload: boolean,
): ParameterSet {
  const decoders = Object.entries(definitions).map(([name, spec]) =>
    compileParameter(name, spec),
  );
  const path = decoders.filter(({ name }) => pathNames.has(name));
  const headers = decoders.filter(({ rules }) => rules.in === "header");
  const rest = decoders.filter(
    (decoder) => !path.includes(decoder) && !headers.includes(decoder),
  );
  const query = new Map(common);
  if (isDownload) addNames(withMedia(common.get("alt")), query);
  for (const decoder of rest) addNames(decoder, query);
  const expected = [...new Set([...headers, ...query.values()])].filter(
    ({ rules, fallback }) => rules.required === true || fallback !== undefined,
  );
  return { path: byName(path), query, headers, expected };
}

/**
 * Returns the parameter `alt` with `media` as an additional allowed value. Some
 * API descriptions do not list this value.
 */
function withMedia(alt: Decoder | undefined): Decoder {
  const rules = alt?.rules ?? { type: "string" };
  const values = rules.enum ?? [];
  return values.length === 0 || values.includes("media")
    ? compileParameter("alt", rules)
    : compileParameter("alt", { ...rules, enum: [...values, "media"] });
}

/** Compiles the parameters that all methods share. */
export function compileCommon(
  common: ParameterDefinitions,
): ReadonlyMap<string, Decoder> {
  const decoders = new Map<string, Decoder>();
  for (const [name, spec] of Object.entries(common))
    addNames(compileParameter(name, spec), decoders);
  return decoders;
}

function addNames(decoder: Decoder, names: Map<string, Decoder>): void {
  names.set(decoder.name, decoder);
  if (decoder.rules.forms?.includes("brackets") === true)
    names.set(`${decoder.name}[]`, decoder);
}

function byName(decoders: readonly Decoder[]): ReadonlyMap<string, Decoder> {
  return new Map(decoders.map((decoder) => [decoder.name, decoder]));
}

/** Reads the parameters of a request and collects the errors in them. */
export class ParameterReader {
  readonly values: Values = new NullPrototypeObject();
  #problems: Problem[] | undefined;
  readonly #set: ParameterSet;
  /**
   * Undeclared parameters that are allowed. If undefined, all undeclared
   * parameters are ignored; otherwise, the others are errors.
   */
  readonly #undeclared: ReadonlySet<string> | undefined;
  /** True if values that an enum does not list are accepted. */
  readonly #opensEnums: boolean;

  constructor(
    set: ParameterSet,
    undeclared: ReadonlySet<string> | undefined,
    opensEnums: boolean,
  ) {
    this.#set = set;
    this.#undeclared = undeclared;
    this.#opensEnums = opensEnums;
  }

  /** Reads the value of a path variable. The value is still percent-encoded. */
  path({ name, isMulti }: Capture, raw: string): void {
    const text = isMulti ? decodeMulti(raw) : decodeLeniently(raw);
    const decoder = this.#set.path.get(name);
    const before = this.values[name];
    if (decoder === undefined) this.values[name] = text;
    else this.#addValue(decoder, text);
    // A path template can contain the same variable twice. Both values must be
    // equal.
    if (before !== undefined && before !== this.values[name])
      this.#report(conflictingValues(name));
  }

  /** Reads a query string. */
  query(text: string): void {
    const bad = readQuery(text, this);
    if (bad !== undefined) this.#report(malformed("query", bad));
  }

  /**
   * Reads parameters from a body that is an HTML form. They override query
   * parameters of the same name.
   */
  form(text: string): void {
    const members: Record<string, string[]> = Object.create(null);
    const bad = readQuery(text, {
      add: (name, value) => void (members[name] ??= []).push(value),
    });
    if (bad !== undefined) this.#report(malformed("body", bad));
    this.members(members);
  }

  /**
   * Reads parameters from the members of a JSON body. They override query
   * parameters of the same name.
   */
  members(values: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(values)) {
      const decoder = this.#set.query.get(name);
      if (decoder !== undefined) delete this.values[decoder.name];
    }
    for (const [name, value] of Object.entries(values))
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== null && one !== undefined) this.#member(name, one);
  }

  #member(name: string, value: unknown): void {
    const decoder = this.#set.query.get(name);
    if (typeof value !== "object" || decoder === undefined)
      this.add(name, String(value));
    else
      this.#report(
        problemOf(
          decoder,
          "must be a string, number or boolean, or a list of these",
        ),
      );
  }

  /** Reads the parameters in request headers. */
  headers(request: ServerRequest): void {
    for (const decoder of this.#set.headers) {
      const text = request.header(decoder.name.toLowerCase());
      if (text === undefined) continue;
      if (decoder.rules.repeated !== true) this.#addValue(decoder, text);
      // A repeated header is equivalent to a single header with comma-separated
      // values.
      else
        for (const one of text.split(",")) this.#addValues(decoder, one.trim());
    }
  }

  /**
   * Returns the decoded values, with default values for absent parameters.
   *
   * @param status status of the error if parameters are invalid. The status is
   *   always 400 if only headers are invalid.
   * @throws ApiError that lists every invalid parameter.
   */
  finish(status: number = 400): Values {
    const { values } = this;
    const { expected } = this.#set;
    for (let index = 0; index < expected.length; index++) {
      const decoder = expected[index]!;
      if (values[decoder.name] !== undefined) continue;
      if (decoder.fallback !== undefined)
        values[decoder.name] = decoder.fallback;
      else if (!this.#hasProblem(decoder)) this.#report(missing(decoder));
    }
    if (this.#problems !== undefined)
      throw invalidParameters(this.#problems, status);
    return values;
  }

  /** Adds a value from the query after percent-decoding it. */
  add(name: string, text: string): void {
    const decoder = this.#set.query.get(name);
    if (decoder === undefined) {
      if (this.#undeclared?.has(name) === false) this.#report(unknown(name));
    } else if (decoder.rules.repeated === true) this.#addValues(decoder, text);
    else if (this.values[decoder.name] === undefined)
      this.#addValue(decoder, text);
    else if (!this.#isRepetition(decoder, text))
      this.#report(problemOf(decoder, "must not be repeated"));
  }

  /**
   * Returns true if a value equals the earlier value of the same parameter. The
   * official Ruby client sends `alt=media` twice.
   */
  #isRepetition(decoder: Decoder, text: string): boolean {
    const value = decoder.decode(text);
    const given = value instanceof InvalidValue ? text : value;
    return this.values[decoder.name] === given;
  }

  #addValue(decoder: Decoder, text: string): void {
    const value = decoder.decode(text);
    if (!(value instanceof InvalidValue)) this.values[decoder.name] = value;
    else if (value.isEnum && this.#opensEnums) this.values[decoder.name] = text;
    else this.#report(problemOf(decoder, value.reason));
  }

  #addValues(decoder: Decoder, text: string): void {
    const texts =
      decoder.rules.forms?.includes("comma") === true
        ? text.split(",")
        : [text];
    const list = (this.values[decoder.name] ??= []) as unknown[];
    for (const one of texts) {
      const value = decoder.decode(one);
      if (!(value instanceof InvalidValue)) list.push(value);
      else if (value.isEnum && this.#opensEnums) list.push(one);
      else this.#report(problemOf(decoder, value.reason));
    }
  }

  #hasProblem({ name }: Decoder): boolean {
    return this.#problems?.some(({ location }) => location === name) === true;
  }

  /**
   * Adds an error. At most 100 errors are collected, because a request can
   * contain any number of invalid values.
   */
  #report(problem: Problem): void {
    const problems = (this.#problems ??= []);
    if (problems.length < 100) problems.push(problem);
  }
}

/**
 * Returns the error for invalid parameters. The status is 400 if only headers
 * are invalid, because the status that the method defines does not apply to
 * headers.
 */
function invalidParameters(
  problems: readonly Problem[],
  status: number,
): ApiError {
  const isInput = problems.some(
    ({ locationType }) => locationType !== "header",
  );
  return invalid(problems, isInput ? status : 400);
}

function missing(decoder: Decoder): Problem {
  return {
    ...problemOf(decoder, "is missing", "required"),
    message: `Required ${decoder.rules.in === "header" ? "header" : "parameter"} ${decoder.name} is missing.`,
  };
}

function conflictingValues(name: string): Problem {
  return {
    message: `Invalid value for parameter ${name}: the path contains two different values.`,
    reason: "invalidParameter",
    location: name,
    locationType: "parameter",
  };
}

function malformed(name: string, raw: string): Problem {
  return {
    message: `Malformed percent-encoding in ${name}: ${JSON.stringify(raw.slice(0, 100))}.`,
    reason: "invalidParameter",
    location: name,
    locationType: "parameter",
  };
}

function unknown(name: string): Problem {
  return {
    message: `Unknown parameter ${JSON.stringify(name.slice(0, 100))}.`,
    reason: "invalidParameter",
    location: name.slice(0, 100),
    locationType: "parameter",
  };
}
