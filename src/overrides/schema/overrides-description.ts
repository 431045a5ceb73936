import type { Severity } from "../../diagnostics/types.js";
import type { PropertyTable, ValueType } from "./table.js";

/**
 * JSON Schema in specs/overrides.v1.3.json, with the standard fields and `x-`
 * extensions.
 */
export interface DescriptionSchema {
  readonly id?: string;
  readonly $ref?: string;
  readonly type?: ValueType;
  readonly description?: string;
  readonly default?: string;
  readonly pattern?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, DescriptionSchema>>;
  readonly additionalProperties?: DescriptionSchema;
  readonly items?: DescriptionSchema;
  readonly "x-kind"?: string;
  readonly "x-also"?: readonly ValueType[];
  readonly "x-max-length"?: number;
  readonly "x-max-bytes"?: number;
  readonly "x-min-items"?: number;
  readonly "x-unit"?: string;
  readonly "x-code"?: string;
  readonly "x-advice"?: { readonly pattern: string; readonly message: string };
  readonly "x-since"?: string;
  readonly "x-until"?: string;
  readonly "x-deprecated-since"?: string;
  readonly "x-removed"?: string;
  readonly "x-replaced-by"?: string;
  readonly "x-spelling"?: true;
  readonly "x-also-written"?: readonly string[];
  readonly "x-severity"?: Severity;
  readonly "x-secret"?: true;
  readonly "x-undocumented"?: true;
  readonly "x-missing"?: "warning";
  readonly "x-required"?: readonly string[];
  readonly "x-required-since"?: string;
}

/** Content of specs/overrides.v1.3.json. */
export interface OverridesDescription {
  readonly title: string;
  readonly schemas: Readonly<Record<string, DescriptionSchema>>;
  readonly "x-root": string;
  readonly "x-targets": PropertyTable["targets"];
  readonly "x-default-target": string;
  readonly "x-kinds": PropertyTable["kinds"];
  readonly "x-detection": PropertyTable["detection"];
  readonly "x-rules": PropertyTable["rules"];
  readonly "x-upgrade": PropertyTable["upgrade"];
}

/**
 * Resolves a `$ref`. Fields next to the reference override fields of the
 * referenced schema.
 */
export function resolveSchema(
  description: OverridesDescription,
  schema: DescriptionSchema,
): DescriptionSchema {
  if (schema.$ref === undefined) return schema;
  const target = description.schemas[schema.$ref];
  if (target === undefined)
    throw new Error(`schema ${schema.$ref} does not exist`);
  const { $ref: _, ...siblings } = schema;
  return { ...target, ...siblings };
}
