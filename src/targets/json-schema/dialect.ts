import type { EnumValue } from "../../model/ir.js";
import type { Json, JsonObject } from "./json.js";

/** Differences between schemas in OpenAPI and in plain JSON Schema. */
export interface Dialect {
  /** Returns the value of `$ref` for the schema with the given name. */
  reference(name: string): string;
  scalar(type: string, format: string | undefined): JsonObject;
  /** Returns the schema of an enum that allows only the listed values. */
  closedEnum(values: readonly EnumValue[]): JsonObject;
  /**
   * Returns keywords that contain information about a value that standard
   * keywords can't express, such as a pattern that is not enforced.
   */
  notes(members: Readonly<Record<string, Json | undefined>>): JsonObject;
  /**
   * Returns the schema of a variant, in which the value of the discriminant
   * selects one of the options.
   */
  variant(discriminant: string, options: readonly VariantOption[]): JsonObject;
}

/** Option of a variant, with the value of the discriminant that selects it. */
export interface VariantOption {
  readonly value: string;
  readonly $ref: string;
}
