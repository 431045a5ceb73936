import type { RawSchema } from "../load/raw.js";
import { isReadOnly, isRequired } from "./field-flags.js";

/** Maximum nesting depth of a JSON sample. */
const MAX_DEPTH = 5;

/** Maximum number of values in a JSON sample. */
const MAX_VALUES = 120;

/**
 * Maximum number of characters of a JSON sample. Defaults and names can be long,
 * and each method repeats the samples of its schemas.
 */
const MAX_LENGTH = 20_000;

/** Map from string format to an example. */
const FORMATS: Readonly<Record<string, string>> = {
  byte: "aGVsbG8=",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  "google-datetime": "2026-01-31T12:00:00Z",
  "google-duration": "3.5s",
  "google-fieldmask": "name,description",
  int64: "9007199254740993",
  uint64: "9007199254740993",
};

/** Data from which samples are built. */
interface SampleContext {
  /**
   * Returns the schema with an id; undefined if the document does not contain
   * it.
   */
  readonly find: (id: string) => RawSchema | undefined;
  /**
   * True for the sample of a request body, in which read-only properties are
   * omitted.
   */
  readonly isRequest: boolean;
  /** Id of the method whose request body the sample is; see `isRequired`. */
  readonly methodId?: string | undefined;
  /**
   * True for the body in a sample call: of each object only the required
   * members, or the first three that are not objects.
   */
  readonly isSmall?: boolean;
}

/**
 * Returns a sample value for a schema as indented JSON; undefined if the schema
 * has no properties to show, or if the sample is too long. A recursive reference is shown as `{}`.
 */
export function sampleJson(
  schema: RawSchema,
  context: SampleContext,
): string | undefined {
  const state = { ...context, left: MAX_VALUES, open: new Set<string>() };
  const value = sampleOf(schema, state, 0);
  const isEmpty =
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === 0;
  if (isEmpty || value === undefined) return undefined;
  const text = JSON.stringify(value, undefined, 2);
  return text.length > MAX_LENGTH ? undefined : text;
}

interface SampleState extends SampleContext {
  /** Number of values that can still be added to the sample. */
  left: number;
  /** Ids of the schemas that contain the current value, to detect recursion. */
  readonly open: Set<string>;
}

function sampleOf(
  schema: RawSchema,
  state: SampleState,
  depth: number,
): unknown {
  const { $ref } = schema;
  if ($ref !== undefined) return referenceSample($ref, state, depth);
  const { default: preset, enum: values, type, items } = schema;
  const [option] = schema["x-one-of"] ?? [];
  if (option !== undefined)
    return depth > MAX_DEPTH ? {} : sampleOf(option, state, depth + 1);
  if (type === "array") {
    const [item] = [items ?? {}].flat();
    return depth >= MAX_DEPTH ? [] : [sampleOf(item ?? {}, state, depth + 1)];
  }
  if (type === "object" || schema.properties !== undefined)
    return objectSample(schema, state, depth);
  if (typeof preset === "string" && preset !== "" && type === "string")
    return preset;
  return values?.[0] ?? scalarSample(schema);
}

function referenceSample(
  id: string,
  state: SampleState,
  depth: number,
): unknown {
  const target = state.find(id);
  if (target === undefined || state.open.has(id) || depth > MAX_DEPTH)
    return {};
  state.open.add(id);
  const value = sampleOf(target, state, depth);
  state.open.delete(id);
  return value;
}

function objectSample(
  { properties = {}, additionalProperties }: RawSchema,
  state: SampleState,
  depth: number,
): object {
  if (depth >= MAX_DEPTH) return {};
  const members: [string, unknown][] = [];
  const entries = Object.entries(properties);
  for (const [name, property] of state.isSmall === true
    ? mainMembers(entries, state.methodId)
    : entries) {
    if (state.left <= 0) break;
    if (state.isRequest && isReadOnly(property, state.methodId)) continue;
    if (property.deprecated === true && !isRequired(property, state.methodId))
      continue;
    state.left--;
    members.push([name, sampleOf(property, state, depth + 1)]);
  }
  if (typeof additionalProperties === "object" && state.left-- > 0)
    members.push(["key", sampleOf(additionalProperties, state, depth + 1)]);
  // Object.fromEntries is used because it defines even `__proto__` as an own
  // property.
  return Object.fromEntries(members);
}

/** Names of members that callers are most likely to set. */
const NAMES =
  /^(?:name|title|displayName|summary|subject|text|description|mimeType)$/;

/** Names of members that servers set, although documents do not say so. */
const BOOKKEEPING = /^(?:kind|etag|id|selfLink)$/;

/** Returns the required members, or else the first three scalars. */
function mainMembers(
  entries: readonly [string, RawSchema][],
  methodId: string | undefined,
): readonly [string, RawSchema][] {
  const required = entries.filter(
    ([, property]) =>
      isRequired(property, methodId) && !isReadOnly(property, methodId),
  );
  if (required.length > 0) return required;
  const rankOf = ([name]: [string, RawSchema]): number =>
    Number(!NAMES.test(name));
  return entries
    .filter(
      ([name, property]) =>
        !BOOKKEEPING.test(name) &&
        /^(?:string|integer|number|boolean)$/.test(String(property.type)) &&
        !isReadOnly(property, methodId) &&
        property.deprecated !== true,
    )
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, 3);
}

/** Returns an example of a string with a known format, such as a date. */
export function exampleOf({
  type,
  format = "",
}: RawSchema): string | undefined {
  return type === "string" && Object.hasOwn(FORMATS, format)
    ? FORMATS[format]
    : undefined;
}

function scalarSample(schema: RawSchema): unknown {
  switch (schema.type) {
    case "boolean":
      return true;
    case "integer":
      return 1;
    case "number":
      return 1.5;
    case "string":
      return exampleOf(schema) ?? "string";
    default:
      return {};
  }
}
