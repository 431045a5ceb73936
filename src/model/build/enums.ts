import { formatCount } from "../../diagnostics/format-count.js";
import type { RawSchema } from "../../load/raw.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import type { Mutable, EnumValue } from "../ir.js";

/**
 * Returns the values of a string enum with their descriptions and flags.
 * Returns undefined for other schemas.
 */
export function enumValues(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): EnumValue[] | undefined {
  if (raw.enum === undefined || !isText(raw)) return undefined;
  const path = child(at, "enum");
  if (raw.enum.length === 0) {
    context.report(
      "enum-invalid",
      "the enum has no values; it is treated as a string",
      path,
    );
    return undefined;
  }
  checkLength(
    raw,
    raw.enumDescriptions?.length,
    "enumDescriptions",
    at,
    context,
  );
  checkLength(raw, raw.enumDeprecated?.length, "enumDeprecated", at, context);
  const values = new Map<string, EnumValue>();
  for (const [index, rawValue] of raw.enum.entries()) {
    const value = String(rawValue);
    if (values.has(value))
      context.report(
        "enum-invalid",
        `the enum lists ${JSON.stringify(value)} twice`,
        path,
      );
    else values.set(value, enumValue(raw, index, value, context));
  }
  checkDefault(raw, values, at, context);
  return [...values.values()];
}

/**
 * Parses `x-open-enum`, which declares that an enum allows values that it does
 * not list.
 */
export function openness(raw: RawSchema): { readonly open?: boolean } {
  return raw["x-open-enum"] === true ? { open: true } : {};
}

function isText(raw: RawSchema): boolean {
  return (raw.type ?? "string") === "string";
}

/**
 * Returns the values of an enum whose type is not string. They are printed only
 * in comments, because the format does not define how such values are
 * serialized.
 */
export function plainValues(raw: RawSchema): EnumValue[] {
  if (raw.enum === undefined || isText(raw)) return [];
  return raw.enum.map((value, index) => enumValue(raw, index, String(value)));
}

function enumValue(
  raw: RawSchema,
  index: number,
  value: string,
  context?: BuildContext,
): Mutable<EnumValue> {
  const text = raw.enumDescriptions?.[index];
  // An object literal with all members uses less memory than an object to which
  // members are added.
  const entry: Mutable<EnumValue> =
    typeof text === "string" && text !== ""
      ? { value, description: context?.prose(text) ?? text }
      : { value };
  if (raw.enumDeprecated?.[index] === true) entry.deprecated = true;
  return entry;
}

function checkLength(
  raw: RawSchema,
  length: number | undefined,
  key: string,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (length === undefined || length === 0 || length === raw.enum!.length)
    return;
  context.report(
    "enum-invalid",
    `${key} has ${formatCount(length, "entry", "entries")} for ${formatCount(raw.enum!.length, "value")}`,
    child(at, key),
  );
}

function checkDefault(
  raw: RawSchema,
  values: ReadonlyMap<string, unknown>,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (
    raw.default === undefined ||
    raw.default === null ||
    values.has(String(raw.default))
  )
    return;
  context.report(
    "enum-invalid",
    `the default ${JSON.stringify(raw.default)} is not a value of the enum`,
    child(at, "default"),
  );
}
