// This file is longer than 400 lines because it contains all rules about types,
// formats and limits, with the comparisons that several of them share.
import type { RawSchema } from "../../load/raw.js";
import type { Schema } from "../../model/ir.js";
import { resolveAlias, type Definitions } from "../../model/queries.js";
import {
  rulesAbout,
  type Documents,
  type Finding,
  type RuleHead,
  type Value,
} from "../rule.js";
import {
  moreSevere,
  type Audience,
  type DetailedChange,
  type Severity,
} from "../severity.js";
import type { Side } from "../side.js";
import { quoted } from "../words.js";

const { changed } = rulesAbout("value");

/** Rules about types, formats, limits and defaults of values. */
export const valueRules = [
  typeRule("type", {
    id: "type-changed",
    summary:
      "The type of a value changed, such as from integer to string, or from int32 to int64 (a string).",
    verdict: ["breaking", "breaking", "breaking"],
  }),
  typeRule("array", {
    id: "array-changed",
    summary: "A single value became a list, or a list became a single value.",
    verdict: ["breaking", "breaking", "breaking"],
  }),
  typeRule("widened", {
    id: "type-widened",
    summary: "A value can now also be of other types, or of any type.",
    verdict: {
      request: ["info", "breaking", "info"],
      response: ["breaking", "info", "breaking"],
    },
  }),
  typeRule("narrowed", {
    id: "type-narrowed",
    summary: "A value of any type, or of several types, now has a fixed type.",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "warning"],
    },
  }),
  typeRule("number", {
    id: "integer-widened",
    summary: "An integer became a number.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["breaking", "info", "warning"],
    },
  }),
  typeRule("integer", {
    id: "integer-narrowed",
    summary: "A number became an integer.",
    verdict: {
      request: ["breaking", "info", "info"],
      response: ["info", "warning", "info"],
    },
  }),
  typeRule("enum", {
    id: "enum-added",
    summary: "A string is now limited to the values of an enum.",
    verdict: {
      request: ["breaking", "info", "info"],
      response: ["info", "breaking", "info"],
    },
  }),
  typeRule("string", {
    id: "enum-removed",
    summary: "An enum became a string.",
    reason: "The output no longer contains the type of the enum.",
    verdict: {
      request: ["info", "warning", "breaking"],
      response: ["warning", "info", "breaking"],
    },
  }),
  formatRule("narrowed", {
    id: "format-narrowed",
    summary: "The format of an integer changed to one with a smaller range.",
    verdict: {
      request: ["breaking", "info", "info"],
      response: ["info", "warning", "info"],
    },
  }),
  formatRule("widened", {
    id: "format-widened",
    summary: "The format of an integer changed to one with a larger range.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "info"],
    },
  }),
  formatRule("changed", {
    id: "format-changed",
    summary: "The format of a value changed; the type is unchanged.",
    verdict: {
      request: ["warning", "warning", "info"],
      response: ["warning", "warning", "info"],
    },
  }),
  formatRule("double", {
    id: "double-added",
    summary:
      "A format was added to a number in a body, so the generated type now includes NaN and infinities, which are represented as strings.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "breaking"],
    },
  }),
  formatRule("plain", {
    id: "double-removed",
    summary: "The format of a number in a body was removed.",
    verdict: {
      request: ["warning", "info", "warning"],
      response: ["info", "warning", "info"],
    },
  }),
  changed({
    id: "pattern-changed",
    summary: "A pattern was added or changed.",
    reason:
      "The comparison does not determine whether the new pattern accepts fewer strings.",
    verdict: {
      request: ["breaking", "warning", "info"],
      response: ["warning", "warning", "info"],
    },
    below: "/pattern",
    find: (old, now) => {
      const [before, after] = [
        old.constraints.pattern,
        now.constraints.pattern,
      ];
      return (
        before !== after &&
        after !== undefined && {
          text:
            before === undefined
              ? `the pattern ${quoted(after)} was added`
              : `the pattern changed from ${quoted(before)} to ${quoted(after)}`,
          detail: after,
        }
      );
    },
  }),
  changed({
    id: "pattern-removed",
    summary: "A pattern was removed.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "info"],
    },
    below: "/pattern",
    find: (old, now) =>
      old.constraints.pattern !== undefined &&
      now.constraints.pattern === undefined &&
      `the pattern ${quoted(old.constraints.pattern)} was removed`,
  }),
  changed({
    id: "limit-narrowed",
    summary:
      "A minimum, maximum or other limit now excludes values that were allowed.",
    verdict: {
      request: ["breaking", "info", "info"],
      response: ["info", "warning", "info"],
    },
    find: (old, now) => limitChanges(old, now, "narrowed"),
  }),
  changed({
    id: "limit-widened",
    summary: "A limit now allows more values.",
    verdict: {
      request: ["info", "warning", "info"],
      response: ["warning", "info", "info"],
    },
    find: (old, now) => limitChanges(old, now, "widened"),
  }),
  changed({
    id: "default-added",
    summary: "A default was added.",
    verdict: ["info", "info", "info"],
    below: "/default",
    find: ({ constraints: { default: before } }, { constraints }) =>
      before === undefined &&
      constraints.default !== undefined && {
        text: `the default ${quoted(constraints.default)} was added`,
        detail: constraints.default,
      },
  }),
  changed({
    id: "default-changed",
    summary: "A default changed.",
    reason: "Requests that omit the value now have a different effect.",
    verdict: ["warning", "warning", "info"],
    below: "/default",
    find: (old, now) => {
      const [before, after] = [
        old.constraints.default,
        now.constraints.default,
      ];
      return (
        before !== undefined &&
        after !== undefined &&
        before !== after && {
          text: `the default changed from ${quoted(before)} to ${quoted(after)}`,
          detail: after,
        }
      );
    },
  }),
  changed({
    id: "default-removed",
    summary: "A default was removed.",
    reason:
      "Handlers can receive requests without the parameter. The severity is `info` for properties of bodies, because their defaults have no effect.",
    verdict: ["warning", "breaking", "info"],
    below: "/default",
    find: ({ constraints: { default: before }, where }, { constraints }) =>
      before !== undefined &&
      constraints.default === undefined && {
        text: `the default ${quoted(before)} was removed`,
        verdict: where === "parameter" ? undefined : { server: "info" },
      },
  }),
  changed({
    id: "nullable-added",
    summary: "A value can now be null (`x-nullable`).",
    verdict: {
      request: ["info", "breaking", "info"],
      response: ["breaking", "info", "breaking"],
    },
    below: "/x-nullable",
    find: (old, now, documents) =>
      !isNullable(old.schema, documents.old) &&
      isNullable(now.schema, documents.new) &&
      "the value can now be null",
  }),
  changed({
    id: "nullable-removed",
    summary: "A value can no longer be null (`x-nullable`).",
    verdict: {
      request: ["breaking", "info", "breaking"],
      response: ["info", "breaking", "info"],
    },
    below: "/x-nullable",
    find: (old, now, documents) =>
      isNullable(old.schema, documents.old) &&
      !isNullable(now.schema, documents.new) &&
      "the value can no longer be null",
  }),
];

/** Rule about references to schemas. */
export const replacementRules = [
  rulesAbout("replacement").changed({
    id: "schema-replaced",
    summary: "A value now refers to a different schema.",
    reason:
      "The severity is that of the most severe difference between the two schemas.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/$ref",
    find: ({ id: before }, { id: after, differences }) => ({
      text: `the schema changed from ${quoted(before)} to ${quoted(after)}${differenceWords(differences)}`,
      detail: `${before} ${after}`,
      verdict: worstOf(differences),
    }),
  }),
];

/** Returns the highest severity of several changes for each audience. */
function worstOf(
  changes: readonly DetailedChange[],
): Record<Audience, Severity> {
  const worst = (audience: Audience): Severity =>
    changes.map((change) => change[audience]).reduce(moreSevere, "info");
  return {
    client: worst("client"),
    server: worst("server"),
    types: worst("types"),
  };
}

/** Number of differences that the message about a replaced schema contains. */
const SHOWN = 3;

function differenceWords(differences: readonly DetailedChange[]): string {
  if (differences.length === 0) return "; both have the same structure";
  const shown = differences.slice(0, SHOWN).map(({ message }) => message);
  const rest = differences.length - shown.length;
  return ` (${shown.join("; ")}${rest === 0 ? "" : `; ${rest} more`})`;
}

/** Kind of change between two types. */
type TypeChange =
  | "type"
  | "array"
  | "widened"
  | "narrowed"
  | "number"
  | "integer"
  | "enum"
  | "string";

/** Defines a rule that reports one kind of change between two types. */
function typeRule(change: TypeChange, head: RuleHead) {
  return changed({
    ...head,
    find: (old, now, documents) => {
      if (typeChangeOf(old, now, documents) !== change) return undefined;
      const before = typeWords(old.schema, documents.old.definitions);
      const after = typeWords(now.schema, documents.new.definitions);
      return {
        text: `the type changed from ${before} to ${after}`,
        detail: `${before} ${after}`,
      };
    },
  });
}

type Category =
  "any" | "list" | "object" | "map" | "variant" | "union" | "enum" | "scalar";

/**
 * Returns the category of a schema; for an alias, the category of its target.
 */
function categoryOf(schema: Schema, definitions: Definitions): Category {
  const end = resolveAlias(schema, definitions);
  if (end.kind !== "ref") return end.kind;
  const kind = definitions.get(end.id)?.body.kind;
  return kind === undefined || kind === "alias" ? "any" : kind;
}

/**
 * Returns the kind of change between two types; undefined if both have the same
 * category.
 */
function typeChangeOf(
  { schema: old }: Value,
  { schema: now }: Value,
  documents: Documents,
): TypeChange | undefined {
  const before = categoryOf(old, documents.old.definitions);
  const after = categoryOf(now, documents.new.definitions);
  const oldScalar = scalarOf(old, documents.old.definitions);
  const newScalar = scalarOf(now, documents.new.definitions);
  if (before === after) {
    if (oldScalar === newScalar) return undefined;
    if (oldScalar === "integer" && newScalar === "number") return "number";
    if (oldScalar === "number" && newScalar === "integer") return "integer";
    return "type";
  }
  if (after === "any") return "widened";
  if (before === "any") return "narrowed";
  if (after === "union" && isOption(old, documents.old, now, documents.new))
    return "widened";
  if (before === "union" && isOption(now, documents.new, old, documents.old))
    return "narrowed";
  if (before === "list" || after === "list") return "array";
  if (before === "enum" && newScalar === "string") return "string";
  if (after === "enum" && oldScalar === "string") return "enum";
  return "type";
}

/**
 * Tests whether a union contains an alternative of the same type as a schema.
 */
function isOption(
  schema: Schema,
  { definitions }: Side,
  union: Schema,
  side: Side,
): boolean {
  const typeWordsOf = (one: Schema, all: Definitions): string =>
    typeWords(resolveAlias(one, all), all);
  const words = typeWordsOf(schema, definitions);
  return optionSchemas(union, side.definitions).some(
    (option) => typeWordsOf(option, side.definitions) === words,
  );
}

/** Returns the alternatives of a union; an empty list for other schemas. */
function optionSchemas(
  schema: Schema,
  definitions: Definitions,
): readonly Schema[] {
  const end = resolveAlias(schema, definitions);
  const body = end.kind === "ref" ? definitions.get(end.id)?.body : undefined;
  return body?.kind === "union" ? body.options : [];
}

function scalarOf(
  schema: Schema,
  definitions: Definitions,
): string | undefined {
  const end = resolveAlias(schema, definitions);
  return end.kind === "scalar" ? end.type : undefined;
}

/** Formats a type for messages: `list of Author`, `string (int64)`. */
function typeWords(schema: Schema, definitions: Definitions): string {
  switch (schema.kind) {
    case "scalar":
      return schema.format === undefined
        ? schema.type
        : `${schema.type} (${schema.format})`;
    case "list":
      return `list of ${typeWords(schema.items, definitions)}`;
    case "map":
      return `map of ${typeWords(schema.values, definitions)}`;
    case "ref": {
      const definition = definitions.get(schema.id);
      if (definition?.inline === undefined) return schema.id;
      const options = optionSchemas(schema, definitions);
      return options.length === 0
        ? categoryOf(schema, definitions)
        : options.map((option) => typeWords(option, definitions)).join(" or ");
    }
    default:
      return schema.kind;
  }
}

/** Tests whether a value can be null. */
function isNullable(schema: Schema, { definitions }: Side): boolean {
  if (schema.nullable === true) return true;
  const definition =
    schema.kind === "ref" ? definitions.get(schema.id) : undefined;
  if (definition?.nullable === true) return true;
  return (
    definition?.body.kind === "alias" &&
    resolveAlias(schema, definitions).nullable === true
  );
}

/**
 * Kind of change between two formats of the same type. `double`: a number in a
 * body now has a format. `plain`: a number in a body no longer has a format.
 */
type FormatChange = "narrowed" | "widened" | "changed" | "double" | "plain";

/** Defines a rule that reports one kind of change between two formats. */
function formatRule(change: FormatChange, head: RuleHead) {
  return changed({
    ...head,
    below: "/format",
    find: (old, now) =>
      formatChange(old, now) === change && {
        text: `the format changed from ${formatOf(old)} to ${formatOf(now)}`,
        detail: `${formatOf(old)} ${formatOf(now)}`,
      },
  });
}

/** Smallest and largest value of each integer format, keyed by format. */
const RANGES: Readonly<Record<string, Range>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

type Range = readonly [min: bigint, max: bigint] | "unlimited" | undefined;

/** Returns the format of a value; `none` if it has no format. */
function formatOf({ schema, constraints }: Value): string {
  const format = schema.kind === "scalar" ? schema.format : undefined;
  return format ?? constraints.format ?? "none";
}

/**
 * Compares the formats of two scalars of the same type; returns undefined if
 * the formats are equal.
 */
function formatChange(old: Value, now: Value): FormatChange | undefined {
  if (old.schema.kind !== "scalar" || now.schema.kind !== "scalar")
    return undefined;
  const { type } = old.schema;
  const [before, after] = [formatOf(old), formatOf(now)];
  if (type !== now.schema.type || before === after) return undefined;
  if (type === "number" && old.where !== "parameter") {
    if (before === "none") return "double";
    if (after === "none") return "plain";
  }
  if (type !== "integer" && type !== "string") return "changed";
  return compareRanges(rangeOf(before, type), rangeOf(after, type));
}

/**
 * Returns the range of integers that a format allows; undefined for other
 * formats.
 */
function rangeOf(format: string, type: "integer" | "string"): Range {
  if (Object.hasOwn(RANGES, format)) return RANGES[format];
  return type === "integer" || format === "none" ? "unlimited" : undefined;
}

function compareRanges(before: Range, after: Range): FormatChange {
  if (before === undefined || after === undefined) return "changed";
  if (includes(after, before)) return "widened";
  return includes(before, after) ? "narrowed" : "changed";
}

function includes(
  outer: NonNullable<Range>,
  inner: NonNullable<Range>,
): boolean {
  if (outer === "unlimited") return true;
  if (inner === "unlimited") return false;
  return outer[0] <= inner[0] && outer[1] >= inner[1];
}

/** Keywords for lower and upper limits of values. */
const LIMITS: Readonly<Record<string, "lower" | "upper">> = {
  minimum: "lower",
  maximum: "upper",
  minLength: "lower",
  maxLength: "upper",
  minItems: "lower",
  maxItems: "upper",
};

/**
 * Returns findings about limits that now allow fewer values (`narrowed`) or
 * more values (`widened`).
 */
function limitChanges(
  old: Value,
  now: Value,
  change: "narrowed" | "widened",
): Finding[] {
  return Object.entries(LIMITS).flatMap(([keyword, bound]) => {
    const before = limitOf(old.raw, keyword, bound);
    const after = limitOf(now.raw, keyword, bound);
    if (before === after) return [];
    const isNarrower = bound === "lower" ? after > before : after < before;
    if (isNarrower !== (change === "narrowed")) return [];
    return [
      {
        text: `${keyword} changed from ${limitWords(before)} to ${limitWords(after)}`,
        detail: `${keyword} ${limitWords(after)}`,
        below: `/${keyword}`,
      },
    ];
  });
}

function limitOf(
  raw: RawSchema,
  keyword: string,
  bound: "lower" | "upper",
): number {
  const value = (raw as Readonly<Record<string, unknown>>)[keyword];
  const isGiven = typeof value === "number" || typeof value === "string";
  const limit = isGiven && value !== "" ? Number(value) : Number.NaN;
  if (!Number.isNaN(limit)) return limit;
  return bound === "lower" ? -Infinity : Infinity;
}

function limitWords(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : "none";
}
