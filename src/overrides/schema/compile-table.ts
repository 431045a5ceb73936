import { resolved, type Description, type Schema } from "./description.js";
import type { Row, Table } from "./table.js";

/** The table that the tools read, from the description of the file. */
export function compileTable(description: Description): Table {
  const root = description.schemas[description["x-root"]];
  if (root === undefined) throw new Error("x-root names no schema");
  return {
    targets: description["x-targets"],
    defaultTarget: description["x-default-target"],
    kinds: description["x-kinds"],
    detection: description["x-detection"],
    rules: description["x-rules"],
    upgrade: description["x-upgrade"],
    rows: [...below(description, root, "", undefined)],
  };
}

/** Rows of the members of an object or list, each followed by its own. */
function* below(
  description: Description,
  schema: Schema,
  path: string,
  since: string | undefined,
): Generator<Row> {
  const prefix = path === "" ? "" : `${path}.`;
  const required = new Set(schema["x-required"]);
  for (const [key, value] of Object.entries(schema.properties ?? {}))
    yield* rowsOf(
      description,
      value,
      `${prefix}${key}`,
      since,
      required.has(key),
    );
  if (schema.additionalProperties !== undefined)
    yield* rowsOf(description, schema.additionalProperties, `${prefix}*`);
  if (schema.items !== undefined)
    yield* rowsOf(description, schema.items, `${path}[]`, since);
}

function* rowsOf(
  description: Description,
  schema: Schema,
  path: string,
  since?: string,
  isRequired = false,
): Generator<Row> {
  const whole = resolved(description, schema);
  const row = rowOf(whole, path, since, isRequired);
  yield row;
  yield* below(description, whole, path, row.since);
}

/** A member is as young as what it belongs to. */
function rowOf(
  schema: Schema,
  path: string,
  inherited: string | undefined,
  isRequired: boolean,
): Row {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return compact({
    path,
    type: schema.type ?? "any",
    description: schema.description ?? "",
    kind: schema["x-kind"],
    enum: schema.enum,
    pattern: schema.pattern,
    minimum: numberOf(schema.minimum),
    maximum: numberOf(schema.maximum),
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
    replacedBy: absolute(schema, parent),
    spelling: schema["x-spelling"],
    alsoWritten: schema["x-also-written"],
    severity: schema["x-severity"],
    secret: schema["x-secret"],
    undocumented: schema["x-undocumented"],
    required: isRequired ? (schema["x-missing"] ?? "error") : undefined,
    requiredSince: schema["x-required-since"],
  }) as unknown as Row;
}

/** A replacement without dots is a neighbour, unless the property stands at the top. */
function absolute(schema: Schema, parent: string): string | undefined {
  const path = schema["x-replaced-by"];
  if (path === undefined || parent === "" || /[.[]/.test(path)) return path;
  return `${parent}.${path}`;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function compact(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  );
}
