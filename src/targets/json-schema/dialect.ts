import type { EnumValue } from "../../model/ir.js";
import type { Json, JsonObject } from "./json.js";

/** Differences between schemas in OpenAPI and plain JSON Schema. */
export interface Dialect {
  /** Value of `$ref` for the schema with the given name. */
  reference(name: string): string;
  /** Keywords of a scalar with a format. */
  scalar(type: string, format: string | undefined): JsonObject;
  /** Schema of an enum that allows only the listed values. */
  closedEnum(values: readonly EnumValue[]): JsonObject;
  /**
   * Keywords for properties of a value that JSON Schema can't express, such as
   * a pattern that is not enforced.
   */
  notes(facts: Readonly<Record<string, Json | undefined>>): JsonObject;
  /** Schema of a variant, whose discriminant selects one of the options. */
  variant(discriminant: string, options: readonly VariantOption[]): JsonObject;
}

/** Option of a variant, with the value of the discriminant that selects it. */
export interface VariantOption {
  readonly value: string;
  readonly $ref: string;
}
