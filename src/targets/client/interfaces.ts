import { holds } from "../../model/passes/facts.js";
import type { Api, Body, Definition, Field, Schema } from "../../model/ir.js";
import { Code, EMPTY, identifier, propertyKey } from "../../render/code.js";
import { docComment } from "../../render/comment.js";
import type { View } from "../../render/engine.js";
import {
  generic,
  layOut,
  named,
  typeCode,
  type TypeTree,
} from "../../render/types.js";
import { valueNotes } from "./docs.js";
import { enumView } from "./enums.js";
import type { ApiNames } from "./naming.js";
import { typeOf, type Direction, type TypeNames } from "./types.js";

/** What the views of schemas.ts share. */
export interface SchemaContext {
  readonly api: Api;
  readonly apiNames: ApiNames;
  readonly names: TypeNames;
  readonly trustProse: boolean;
}

/** A definition's declarations: one, or two where requests look different. */
export function definitionViews(
  definition: Definition,
  context: SchemaContext,
): View[] {
  const name = context.apiNames.types.get(definition.id)!;
  const views = [definitionView(definition, name, "output", context)];
  const input = context.apiNames.inputs.get(definition.id);
  if (input !== undefined)
    views.push(inputView(definition, name, input, context));
  return views;
}

function definitionView(
  definition: Definition,
  name: string,
  direction: Direction,
  context: SchemaContext,
): View {
  const { body } = definition;
  const doc = {
    description: definition.description,
    deprecated: definition.deprecated,
  };
  switch (body.kind) {
    case "object":
      return interfaceView(definition, body, name, direction, context);
    case "enum":
      return enumView(name, body.values, doc);
    case "alias":
      return aliasView(
        name,
        docComment(doc, 0),
        typeOf(body.schema, direction, context.names),
      );
    case "variant":
      return aliasView(
        name,
        docComment(doc, 0),
        variantType(body, direction, context),
      );
  }
}

type ObjectBody = Extract<Body, { kind: "object" }>;

function interfaceView(
  definition: Definition,
  body: ObjectBody,
  name: string,
  direction: Direction,
  context: SchemaContext,
): View {
  const kept =
    direction === "output"
      ? body.fields
      : body.fields.filter((field) => !isReadOnly(field, context));
  const doc = {
    description: definition.description,
    deprecated: definition.deprecated,
  };
  return {
    isInterface: true,
    doc: docComment(doc, 0),
    name: identifier(name),
    heritage: EMPTY,
    isEmpty: kept.length === 0 && body.additional === undefined,
    fields: kept.map((field) => fieldView(field, direction, context)),
    index: indexType(body, direction, context),
  };
}

/** The value type of other keys; next to declared fields it has to admit them. */
function indexType(
  body: ObjectBody,
  direction: Direction,
  context: SchemaContext,
): Code | undefined {
  if (body.additional === undefined) return undefined;
  if (body.fields.length > 0) return new Code("unknown");
  return typeCode(typeOf(body.additional, direction, context.names), 2, 17, 1);
}

function fieldView(
  field: Field,
  direction: Direction,
  context: SchemaContext,
): View {
  const key = propertyKey(field.name);
  const readonly = direction === "output" && isReadOnly(field, context);
  const optional = !holds(field.facts.required, context.trustProse);
  const used =
    2 + (readonly ? 9 : 0) + key.text.length + (optional ? 1 : 0) + 2;
  const doc = {
    description: field.description,
    notes: valueNotes(field.schema, field.notes, field.facts),
    deprecated: field.facts.deprecated !== undefined,
  };
  return {
    doc: docComment(doc, 2),
    readonly,
    key,
    optional,
    type: typeCode(typeOf(field.schema, direction, context.names), 2, used, 1),
  };
}

function isReadOnly(field: Field, context: SchemaContext): boolean {
  return holds(field.facts.readOnly, context.trustProse);
}

function aliasView(name: string, doc: Code, type: TypeTree): View {
  const used = `export type ${name} = `.length;
  const line = layOut(type, 0, used, 1);
  const breaksInside = line.includes("\n");
  const fits = breaksInside || used + line.length + 1 <= 80;
  return {
    doc,
    name: identifier(name),
    type: new Code(fits ? ` ${line}` : `\n  ${layOut(type, 2, 2, 1)}`),
  };
}

function variantType(
  body: Extract<Body, { kind: "variant" }>,
  direction: Direction,
  context: SchemaContext,
): TypeTree {
  if (body.options.length === 0) return named("unknown");
  const options = body.options.map((option) =>
    named(context.names.definition(option.id, direction)),
  );
  return options.length === 1 ? options[0]! : { kind: "union", of: options };
}

/**
 * The request's shape: the result's shape without the readOnly fields, and
 * with request shapes below. Objects with free keys are spelt out, since Omit
 * loses the declared ones beside an index signature.
 */
function inputView(
  definition: Definition,
  name: string,
  input: string,
  context: SchemaContext,
): View {
  const { body } = definition;
  if (body.kind !== "object" || body.additional !== undefined)
    return definitionView(definition, input, "input", context);
  const dropped = body.fields.filter((field) => isReadOnly(field, context));
  const changed = body.fields.filter(
    (field) => !dropped.includes(field) && refersToSplit(field.schema, context),
  );
  const keys = [...dropped, ...changed].map(
    (field) => ({ kind: "literal", value: field.name }) as const,
  );
  const base = generic(
    "Omit",
    named(name),
    keys.length === 1 ? keys[0]! : { kind: "union", of: keys },
  );
  return {
    isInterface: true,
    doc: new Code(`/** What a request may set of {@link ${name}}. */\n`),
    name: identifier(input),
    heritage: heritage(input, base, changed.length === 0),
    isEmpty: changed.length === 0,
    fields: changed.map((field) => fieldView(field, "input", context)),
  };
}

/** ` extends Base` behind an interface's name. */
export function heritage(name: string, base: TypeTree, isEmpty: boolean): Code {
  const used = `export interface ${name} extends `.length;
  return new Code(` extends ${layOut(base, 0, used, isEmpty ? 3 : 2)}`);
}

function refersToSplit(schema: Schema, context: SchemaContext): boolean {
  if (schema.kind === "ref") return context.apiNames.inputs.has(schema.id);
  if (schema.kind === "list") return refersToSplit(schema.items, context);
  return schema.kind === "map" && refersToSplit(schema.values, context);
}
