import type { RawSchema } from "../../load/raw.js";
import type { Definition, Mutable, Schema } from "../ir.js";
import { enumValues } from "../infer/enums.js";
import { checkLimits, checkSchemaId } from "../infer/document-checks.js";
import { checkFormat, scalarType } from "../infer/scalar-types.js";
import { dropAbsent } from "./absent.js";
import {
  child,
  pointerTo,
  type DocumentPath,
  type BuildContext,
} from "./context.js";
import { buildConstraints } from "./field-flags.js";
import { inlineEnum, inlineObject } from "./inline.js";
import { checkKeys } from "./keys.js";
import { buildBody, isObject } from "./objects.js";

/** Levels that get types; real documents have at most ten. */
const MAX_DEPTH = 64;

/** What is not known. */
export const ANY: Schema = { kind: "any" };

/** Who owns a schema node, for the ids of inline definitions. */
export interface Owner {
  readonly id: string;
  readonly field: string;
  /** Levels of objects, lists and maps above the node. */
  readonly depth: number;
}

/** A top-level schema of the document. */
export function buildDefinition(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Mutable<Definition> {
  checkKeys("schema", raw, at, context);
  checkSchemaId(id, raw, at, context);
  const definition: Mutable<Definition> = {
    id,
    pointer: pointerTo(at),
    body: buildBody(id, raw, at, context, 0),
  };
  if (raw.description !== undefined)
    definition.description = context.prose(raw.description);
  if (raw.deprecated === true) definition.deprecated = true;
  if (raw["x-nullable"] === true && definition.body.kind !== "alias")
    definition.nullable = true;
  return definition;
}

/** The type that a node stands for; inline objects and enums become definitions. */
export function buildNode(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const schema = buildKind(raw, at, context, owner);
  return raw["x-nullable"] === true && schema.kind !== "any"
    ? { ...schema, nullable: true }
    : schema;
}

/** A node that is no field and no parameter: its limits stay with the schema. */
export function buildElement(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const schema = buildNode(raw, at, context, owner);
  if (schema.kind !== "scalar") return schema;
  checkLimits(raw, at, context);
  const { pattern, minimum, maximum } = buildConstraints(raw);
  const constraints = dropAbsent({ pattern, minimum, maximum });
  return Object.keys(constraints).length === 0
    ? schema
    : { ...schema, constraints };
}

function buildKind(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  if (raw.$ref !== undefined) return buildReference(raw, at, context);
  if (owner.depth > MAX_DEPTH) return tooDeep(at, context);
  if (raw.type === "array") return buildList(raw, at, context, owner);
  if (raw.variant !== undefined || isObject(raw))
    return inlineObject(raw, at, context, owner);
  if (raw.type === "any") {
    checkFormat(raw, at, context);
    return ANY;
  }
  const values = enumValues(raw, at, context);
  if (values !== undefined) return inlineEnum(values, raw, at, context, owner);
  return buildScalar(raw, at, context) ?? ANY;
}

function tooDeep(at: DocumentPath, context: BuildContext): Schema {
  context.report(
    "shape-too-deep",
    `schemas nest deeper than ${MAX_DEPTH} levels; the rest is unknown`,
    at,
  );
  return ANY;
}

/** A string, number or boolean; undefined, with a diagnostic, for anything else. */
export function buildScalar(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Schema | undefined {
  const type = scalarType(raw, at, context);
  checkFormat(raw, at, context);
  if (type === undefined) return undefined;
  return raw.format === undefined
    ? { kind: "scalar", type }
    : { kind: "scalar", type, format: raw.format };
}

function buildReference(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Schema {
  const id = raw.$ref!;
  if (raw.type !== undefined || raw.properties !== undefined) {
    context.report(
      "schema-ambiguous",
      `has both $ref and ${raw.type === undefined ? "properties" : "type"}; $ref counts`,
      at,
    );
  }
  if (context.schemaIds.has(id)) return { kind: "ref", id };
  const bare = id.replace(/^#\/schemas\//, "").replace(/^#/, "");
  if (context.schemaIds.has(bare)) {
    context.report(
      "legacy-shape",
      `$ref ${JSON.stringify(id)} is a pointer instead of an id`,
      child(at, "$ref"),
    );
    return { kind: "ref", id: bare };
  }
  context.report(
    "ref-missing",
    `$ref ${JSON.stringify(id)} names no schema`,
    child(at, "$ref"),
  );
  return ANY;
}

function buildList(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const items = Array.isArray(raw.items)
    ? (raw.items as readonly RawSchema[])[0]
    : (raw.items as RawSchema | undefined);
  if (Array.isArray(raw.items))
    context.report(
      "legacy-shape",
      "items is a list of schemas; the first one counts",
      at,
    );
  if (items === undefined) {
    context.report("schema-untyped", "an array without items", at);
    return { kind: "list", items: ANY };
  }
  const place = child(at, "items");
  checkKeys("schema", items, place, context);
  const deeper = { ...owner, depth: owner.depth + 1 };
  return { kind: "list", items: buildElement(items, place, context, deeper) };
}
