import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Body, Definition, Field, Schema } from "../../model/ir.js";
import {
  alternativesOf,
  discriminantOf,
  type Union,
} from "../../model/unions.js";
import type { OutputFile } from "../../platform/output-file.js";
import type { Engine } from "../../render/engine.js";
import { Code } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import {
  aliasDeclaration,
  flat,
  generic,
  indexSignature,
  interfaceHead,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "./api-context.js";
import { valueNotes } from "./doc-notes.js";
import { enumView } from "./enums.js";
import { declaredTypes, FileContext } from "./file-context.js";
import { memberView } from "./members.js";
import { moduleFile } from "./module-file.js";
import { type DefinitionNames, schemaScope } from "./type-names.js";
import { type Direction, type TypeNames, typeOf } from "./types.js";
import type {
  AliasView,
  DeclarationView,
  InterfaceDeclaration,
  MemberView,
} from "./views.js";

/**
 * Prints schemas.ts, which contains the document's schemas as interfaces and
 * type aliases.
 */
export function schemasFile(context: ApiContext, engine: Engine): OutputFile {
  const { api, names, definitions, options } = context;
  const file = new FileContext(context, schemaScope(names), "./");
  const schemaContext: SchemaContext = {
    names,
    definitions,
    trustProse: options.trustProse,
    types: {
      ...declaredTypes(context),
      double: () => file.runtimeType("Double"),
    },
  };
  const { imports } = file;
  const view = {
    definitions: api.definitions.flatMap((definition) => [
      ...definitionViews(definition, schemaContext),
    ]),
  };
  return moduleFile(
    { path: "schemas", template: "client/schemas", view, imports },
    context,
    engine,
  );
}

/** Data from which the declarations in schemas.ts are built. */
interface SchemaContext {
  readonly names: DefinitionNames;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Names of the types in schemas.ts. */
  readonly types: TypeNames;
  readonly trustProse: boolean;
}

/**
 * Returns the declarations for a definition: one type, two if requests use a
 * separate type, or none if the type is declared for an equal enum.
 */
function definitionViews(
  definition: Definition,
  context: SchemaContext,
): DeclarationView[] {
  if (context.names.repeated.has(definition.id)) return [];
  const name = context.names.types.get(definition.id)!;
  const views = [definitionView(definition, name, "output", context)];
  const input = context.names.inputs.get(definition.id);
  if (input !== undefined)
    views.push(inputView(definition, name, input, context));
  return views;
}

function definitionView(
  definition: Definition,
  name: string,
  direction: Direction,
  context: SchemaContext,
): DeclarationView {
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
        typeOf(body.schema, direction, context.types),
      );
    case "variant":
      return aliasView(
        name,
        docComment(doc, 0),
        variantType(body, direction, context),
      );
    case "union":
      return aliasView(
        name,
        docComment(doc, 0),
        unionType(body, direction, context),
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
): InterfaceDeclaration {
  const fields =
    direction === "output"
      ? body.fields
      : body.fields.filter((field) => !isReadOnly(field, context));
  const doc = {
    description: definition.description,
    deprecated: definition.deprecated,
  };
  const isEmpty = fields.length === 0 && body.additional === undefined;
  return {
    isInterface: true,
    doc: docComment(doc, 0),
    head: interfaceHead(name, { isEmpty }),
    isEmpty,
    fields: fields.map((field) => fieldView(field, direction, context)),
    index: indexType(body, direction, context),
  };
}

/**
 * Returns the type of the index signature for undeclared members. If the object
 * has declared fields, the type is `unknown`, because it must include the types
 * of all fields.
 */
function indexType(
  body: ObjectBody,
  direction: Direction,
  context: SchemaContext,
): Code | undefined {
  if (body.additional === undefined) return undefined;
  return indexSignature(
    body.fields.length > 0
      ? named("unknown")
      : typeOf(body.additional, direction, context.types),
  );
}

function fieldView(
  field: Field,
  direction: Direction,
  context: SchemaContext,
): MemberView {
  const { name, schema, flags, constraints, description } = field;
  return memberView({
    name,
    type: typeOf(schema, direction, context.types),
    doc: {
      description,
      notes: valueNotes(schema, constraints, flags),
      deprecated: flags.deprecated !== undefined,
    },
    isOptional: !isAlwaysPresent(flags, context.trustProse),
    isReadonly: direction === "output" && isReadOnly(field, context),
  });
}

function isReadOnly(field: Field, context: SchemaContext): boolean {
  return isBinding(field.flags.readOnly, context.trustProse);
}

function aliasView(name: string, doc: Code, type: TypeTree): AliasView {
  return { doc, declaration: aliasDeclaration(name, type) };
}

function variantType(
  body: Extract<Body, { kind: "variant" }>,
  direction: Direction,
  context: SchemaContext,
): TypeTree {
  const base =
    body.base === undefined
      ? []
      : [named(context.types.definition(body.base, direction))];
  const options = body.options.map((option): TypeTree => {
    const type = named(context.types.definition(option.id, direction));
    const value = { kind: "literal", value: option.value } as const;
    const members = [{ key: body.discriminant, type: value }];
    return isObjectId(option.id, context)
      ? intersect([...base, type, { kind: "object", members }])
      : intersect([...base, type]);
  });
  if (options.length === 0) return base[0] ?? named("unknown");
  return options.length === 1 ? options[0]! : { kind: "union", of: options };
}

/**
 * Returns the union of the types of the alternatives. Equal types, such as
 * those of an integer and a number, are listed once, and `null` is last. If a
 * discriminant selects the alternative, its values are part of the types,
 * because the type of the property allows any string.
 */
function unionType(
  union: Union,
  direction: Direction,
  context: SchemaContext,
): TypeTree {
  const alternatives = alternativesOf(union, context.definitions);
  const discriminant = discriminantOf(alternatives);
  const types = new Map<string, TypeTree>();
  for (const { schema, properties } of alternatives) {
    const plain = typeOf(schema, direction, context.types);
    const values = properties.get(discriminant ?? "")?.values;
    const type =
      values === undefined || discriminant === undefined
        ? plain
        : intersect([plain, literalMember(discriminant, [...values])]);
    for (const part of type.kind === "union" ? type.of : [type])
      types.set(flat(part), part);
  }
  if (types.has("unknown")) return named("unknown");
  const none = types.get("null");
  if (none !== undefined && types.delete("null")) types.set("null", none);
  return oneOrUnion([...types.values()]);
}

function literalMember(key: string, values: readonly string[]): TypeTree {
  const literals = values.map((value) => ({ kind: "literal", value }) as const);
  return { kind: "object", members: [{ key, type: oneOrUnion(literals) }] };
}

function oneOrUnion(of: readonly TypeTree[]): TypeTree {
  return of.length === 1 ? of[0]! : { kind: "union", of };
}

function intersect(parts: readonly TypeTree[]): TypeTree {
  return parts.length === 1 ? parts[0]! : { kind: "intersection", of: parts };
}

/**
 * Tests whether a definition is an object. Only an object can contain the
 * discriminant of a variant.
 */
function isObjectId(id: string, { definitions }: SchemaContext): boolean {
  return definitions.get(id)?.body.kind === "object";
}

/**
 * Returns the declaration of a definition's request type: the response type
 * without the read-only fields, and with the request types of the remaining
 * fields. For an object with an index signature, all fields are listed, because
 * `Omit` would remove the declared fields.
 */
function inputView(
  definition: Definition,
  name: string,
  input: string,
  context: SchemaContext,
): DeclarationView {
  const { body } = definition;
  if (body.kind !== "object" || body.additional !== undefined)
    return definitionView(definition, input, "input", context);
  const dropped = body.fields.filter((field) => isReadOnly(field, context));
  const changed = body.fields.filter(
    (field) => !dropped.includes(field) && hasInputType(field.schema, context),
  );
  const keys = [...dropped, ...changed].map(
    (field) => ({ kind: "literal", value: field.name }) as const,
  );
  const base = generic(
    "Omit",
    named(name),
    keys.length === 1 ? keys[0]! : { kind: "union", of: keys },
  );
  const isEmpty = changed.length === 0;
  return {
    isInterface: true,
    doc: new Code(`/** Members of {@link ${name}} that requests can set. */\n`),
    head: interfaceHead(input, { base, isEmpty }),
    isEmpty,
    fields: changed.map((field) => fieldView(field, "input", context)),
  };
}

function hasInputType(schema: Schema, context: SchemaContext): boolean {
  if (schema.kind === "ref") return context.names.inputs.has(schema.id);
  if (schema.kind === "list") return hasInputType(schema.items, context);
  return schema.kind === "map" && hasInputType(schema.values, context);
}
