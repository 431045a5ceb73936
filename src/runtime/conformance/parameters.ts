import type {
  ApiDefinition,
  MethodDefinition,
  ParameterDefinition,
  ParameterRules,
} from "../server/contract.js";
import { compilePattern } from "../server/routing/pattern.js";
import {
  parseTemplate,
  type RouteTemplate,
} from "../server/routing/template.js";
import { pick } from "./random.js";
import { scalarOf } from "./scalars.js";

/** Parameters, keyed by their names in HTTP requests. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Parameters that the checks do not set, because they select the response
 * format or are set by the client.
 */
const CLIENT_PARAMETERS: ReadonlySet<string> = new Set([
  "alt",
  "fields",
  "$fields",
  "uploadType",
  "upload_protocol",
]);

/** Path segments with characters that are often encoded incorrectly. */
const SEGMENTS: readonly string[] = [
  "alpha",
  "two words",
  "ü-漢~1",
  "100% x",
  "x@y+z&w=1,2;3",
  "(p)!*'",
];

/**
 * Values for path variables that match a single segment. Slashes in the values
 * must be encoded.
 */
const SINGLES: readonly string[] = [...SEGMENTS, "a/b", "x:y?z#1", "%2F%zz"];

/** Header values. They contain only ASCII characters. */
const HEADERS: readonly string[] = ['W/"a,b"', "two words", "50%25 a=b;c"];

/**
 * Generates values for the parameters of a method. If `isBare` is true,
 * generates values only for required parameters.
 */
export function makeParameters(
  api: ApiDefinition,
  method: MethodDefinition,
  isBare: boolean,
  random: () => number,
): Values {
  const values = pathValues(method, random);
  const own = method.parameters ?? {};
  for (const [name, spec] of Object.entries({ ...api.parameters, ...own })) {
    if (Object.hasOwn(values, name) || CLIENT_PARAMETERS.has(name)) continue;
    const rules = rulesOf(spec);
    if (isBare && rules.required !== true) continue;
    setProperty(values, name, queryValue(rules, random));
  }
  return values;
}

/**
 * Returns the parameters that the handler should receive, including default
 * values.
 */
export function expectedParameters(
  api: ApiDefinition,
  method: MethodDefinition,
  given: Values,
): Values {
  const values = { ...given };
  const all = { ...api.parameters, ...method.parameters };
  for (const [name, spec] of Object.entries(all)) {
    const rules = rulesOf(spec);
    if (Object.hasOwn(values, name) || rules.default === undefined) continue;
    const value = decodeDefault(rules);
    if (value !== undefined)
      setProperty(values, name, rules.repeated === true ? [value] : value);
  }
  return values;
}

/**
 * Returns the constraints of a parameter. A parameter without constraints can
 * be defined by its type name alone.
 */
export function rulesOf(spec: ParameterDefinition): ParameterRules {
  return typeof spec === "string" ? { type: spec } : spec;
}

function decodeDefault(rules: ParameterRules): unknown {
  const text = rules.default!;
  // The server ignores a default value that does not match the pattern.
  const { pattern } = rules;
  if (pattern !== undefined && compilePattern(pattern)?.(text) === false)
    return undefined;
  if (rules.enum !== undefined && rules.open !== true)
    if (!rules.enum.includes(text)) return undefined;
  switch (rules.type) {
    case "boolean":
      return { true: true, false: false }[text.toLowerCase()];
    case "number":
    case "integer":
    case "int32":
    case "uint32":
      return text === "" || Number.isNaN(Number(text))
        ? undefined
        : Number(text);
    default:
      return text;
  }
}

function queryValue(rules: ParameterRules, random: () => number): unknown {
  if (rules.repeated !== true) return makeScalar(rules, random);
  const values = [makeScalar(rules, random), makeScalar(rules, random)];
  // The values must not contain commas, because lists can be sent as
  // comma-separated text.
  return rules.forms === undefined
    ? values
    : values.map((value) =>
        typeof value === "string" ? value.replaceAll(",", ";") : value,
      );
}

function makeScalar(rules: ParameterRules, random: () => number): unknown {
  if (rules.enum !== undefined) return pick(rules.enum, random);
  if (rules.in === "header" && isUnconstrained(rules))
    return pick(HEADERS, random);
  return scalarOf(typeOf(rules.type), rules, random);
}

/** Types of parameters that are not formats. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  "string",
  "boolean",
  "number",
  "integer",
]);

/**
 * Returns the type and format of a parameter's values. 64-bit integers, bytes,
 * dates and the other formats are strings.
 */
function typeOf(type: string): string {
  if (type === "int32" || type === "uint32") return `integer:${type}`;
  return PLAIN_TYPES.has(type) ? type : `string:${type}`;
}

function pathValues(
  method: MethodDefinition,
  random: () => number,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const template = parseTemplate([method.route].flat()[0]!);
  for (const { name, from, to, piece, isMulti } of template.captures) {
    const rules = rulesOf(method.parameters?.[name] ?? "string");
    if (!isUnconstrained(rules)) {
      // A path segment can't be empty, which bytes and field masks can be.
      let value = makeScalar(rules, random);
      for (let count = 0; value === "" && count < 20; count++)
        value = makeScalar(rules, random);
      setProperty(values, name, value);
    } else if (piece !== undefined) setProperty(values, name, `piece${piece}`);
    else if (isMulti)
      setProperty(values, name, makeSegments(template, from, to, random));
    else setProperty(values, name, pick(SINGLES, random));
  }
  return values;
}

/** Returns true for a string parameter without constraints. */
function isUnconstrained({
  type,
  pattern,
  enum: values,
}: ParameterRules): boolean {
  return type === "string" && pattern === undefined && values === undefined;
}

function makeSegments(
  { items }: RouteTemplate,
  from: number,
  to: number,
  random: () => number,
): string {
  return items
    .slice(from, to + 1)
    .map((item) => {
      if (item.kind === "literal") return item.text;
      const segment = pick(SEGMENTS, random);
      return item.kind === "rest"
        ? `${segment}/${pick(SEGMENTS, random)}`
        : segment;
    })
    .join("/");
}

/** Sets a property. Its name can be any string, including `__proto__`. */
export function setProperty(
  target: Record<string, unknown>,
  name: string,
  value: unknown,
): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
