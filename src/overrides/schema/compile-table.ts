import type { PropertyRow, PropertyTable, ValueType } from "./table.js";
import type { Severity } from "../../diagnostics/types.js";

/**
 * Compiles the JSON Schema of overrides files into the property table that the
 * commands use.
 */
export function compileTable(description: OverridesDescription): PropertyTable {
  const root = description.schemas[description["x-root"]];
  if (root === undefined)
    throw new Error("x-root must be the name of a schema");
  return {
    targets: description["x-targets"],
    defaultTarget: description["x-default-target"],
    kinds: description["x-kinds"],
    detection: description["x-detection"],
    rules: description["x-rules"],
    upgrade: description["x-upgrade"],
    rows: [...memberRows(description, root, "", undefined)],
  };
}

/**
 * Yields a row for each member of an object or list, followed by rows for the
 * members nested in it.
 */
function* memberRows(
  description: OverridesDescription,
  schema: DescriptionSchema,
  path: string,
  since: string | undefined,
): Generator<PropertyRow> {
  const prefix = path === "" ? "" : `${path}.`;
  const required = new Set(schema["x-required"]);
  for (const [key, value] of Object.entries(schema.properties ?? {}))
    yield* propertyRows(
      description,
      value,
      `${prefix}${key}`,
      since,
      required.has(key),
    );
  if (schema.additionalProperties !== undefined)
    yield* propertyRows(description, schema.additionalProperties, `${prefix}*`);
  if (schema.items !== undefined)
    yield* propertyRows(description, schema.items, `${path}[]`, since);
}

function* propertyRows(
  description: OverridesDescription,
  schema: DescriptionSchema,
  path: string,
  since?: string,
  isRequired = false,
): Generator<PropertyRow> {
  const resolved = resolveSchema(description, schema);
  const row = toRow(resolved, path, since, isRequired);
  yield row;
  yield* memberRows(description, resolved, path, row.since);
}

/**
 * Converts a schema to a row of the property table. A member inherits `since`
 * from its parent.
 */
function toRow(
  schema: DescriptionSchema,
  path: string,
  inherited: string | undefined,
  isRequired: boolean,
): PropertyRow {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return withoutUndefined({
    path,
    type: schema.type ?? "any",
    description: schema.description ?? "",
    kind: schema["x-kind"],
    enum: schema.enum,
    pattern: schema.pattern,
    minimum: toNumber(schema.minimum),
    maximum: toNumber(schema.maximum),
    maxLength: schema["x-max-length"],
    maxBytes: schema["x-max-bytes"],
    minItems: schema["x-min-items"],
    default: schema.default,
    unit: schema["x-unit"],
    code: schema["x-code"],
    advice: schema["x-advice"],
    since: schema["x-since"] ?? inherited,
    until: schema["x-until"],
    deprecatedSince: schema["x-deprecated-since"],
    removed: schema["x-removed"],
    replacedBy: replacementPath(schema, parent),
    spelling: schema["x-spelling"],
    alsoWritten: schema["x-also-written"],
    severity: schema["x-severity"],
    secret: schema["x-secret"],
    undocumented: schema["x-undocumented"],
    required: isRequired ? (schema["x-missing"] ?? "error") : undefined,
    requiredSince: schema["x-required-since"],
  }) as unknown as PropertyRow;
}

/**
 * Returns the full path of the property that replaces another property. A path
 * without dots is relative to the block of the replaced property.
 */
function replacementPath(
  schema: DescriptionSchema,
  parent: string,
): string | undefined {
  const path = schema["x-replaced-by"];
  if (path === undefined || parent === "" || /[.[]/.test(path)) return path;
  return `${parent}.${path}`;
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function withoutUndefined(
  row: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  );
}

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
