import { holds } from "../../model/passes/facts.js";
import { objectFields } from "../../model/passes/paging.js";
import type { Definition, Method, Parameter } from "../../model/ir.js";
import { NameScope, pascalCase } from "../../model/names.js";
import { Code, EMPTY, identifier, propertyKey } from "../../render/code.js";
import { docComment } from "../../render/comment.js";
import type { View } from "../../render/engine.js";
import { generic, named, typeCode, type TypeTree } from "../../render/types.js";
import { codeSpan, valueNotes } from "./docs.js";
import { enumView } from "./enums.js";
import { heritage } from "./interfaces.js";
import { bodyType, parameterType, type TypeNames } from "./types.js";

/** Properties of a call's parameter object that are not the document's. */
const OURS = ["requestBody", "media"];

/** A parameter interface and the enums that it mentions. */
export interface ParametersViews {
  readonly name: string;
  readonly view: View;
  readonly enums: readonly View[];
  /** Property to wire name, where they differ. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Whether the interface has a required property. */
  readonly isRequired: boolean;
}

/** What the interface is made from. */
export interface ParametersInput {
  readonly name: string;
  readonly doc: Code;
  readonly parameters: readonly Parameter[];
  /** Type names of the file. */
  readonly scope: NameScope;
  /** Prefix of enum names, e.g. `List`. */
  readonly prefix: string;
  readonly names: TypeNames;
  readonly trustProse: boolean;
}

interface PropertyView {
  readonly view: View;
  readonly enums: readonly View[];
  readonly isRequired: boolean;
}

/** Property names by wire name: free of the ones that are ours. */
export function propertyNames(
  parameters: readonly Parameter[],
): Map<string, string> {
  const scope = new NameScope([
    ...OURS,
    ...parameters
      .map(({ name }) => name)
      .filter((name) => !OURS.includes(name)),
  ]);
  return new Map(
    parameters.map(({ name }) => [
      name,
      OURS.includes(name) ? scope.allot(`${name}_`) : name,
    ]),
  );
}

/** Views of parameters as the properties of an interface. */
export function parameterProperties(input: ParametersInput): PropertyView[] {
  const properties = propertyNames(input.parameters);
  return input.parameters.map((parameter) =>
    propertyView(parameter, properties.get(parameter.name)!, input),
  );
}

function propertyView(
  parameter: Parameter,
  property: string,
  input: ParametersInput,
): PropertyView {
  const { schema, notes, facts, description } = parameter;
  const isRequired = holds(facts.required, input.trustProse);
  const enums: View[] = [];
  let alias: string | undefined;
  if (schema.kind === "enum") {
    alias = input.scope.allot(input.prefix + pascalCase(parameter.name));
    enums.push(
      enumView(alias, schema.values, {
        notes: [`Values of ${codeSpan(parameter.name)}.`],
      }),
    );
  }
  const key = propertyKey(property);
  const used = 2 + key.text.length + (isRequired ? 0 : 1) + 2;
  const doc = {
    description,
    notes: valueNotes(schema, notes, facts),
    deprecated: facts.deprecated !== undefined,
  };
  const type = typeCode(
    parameterType(parameter, alias, input.names),
    2,
    used,
    1,
  );
  return {
    view: { doc: docComment(doc, 2), key, optional: !isRequired, type },
    enums,
    isRequired,
  };
}

/** The body as a property; required where the document says so of its fields. */
export function bodyProperty(
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
  names: TypeNames,
  helper: (name: string) => string,
): PropertyView | undefined {
  if (method.request === undefined) return undefined;
  const required = objectFields(method.request, definitions)
    .filter((field) => field.facts.requiredBy?.includes(method.id) === true)
    .map((field) => field.name);
  const isRequired = required.length > 0;
  const type = bodyType(
    method.request,
    method.httpMethod === "PATCH",
    required,
    names,
    helper,
  );
  const key = identifier("requestBody");
  const view = {
    doc: docComment({ notes: ["The request body."] }, 2),
    key,
    optional: !isRequired,
    type: typeCode(type, 2, 2 + 11 + (isRequired ? 0 : 1) + 2, 1),
  };
  return { view, enums: [], isRequired };
}

/** What the common parameters leave to the method's own ones of the same name. */
export function commonBase(
  common: string,
  omit: string,
  shadowed: readonly string[],
): TypeTree {
  if (shadowed.length === 0) return named(common);
  const keys = shadowed.map((value) => ({ kind: "literal", value }) as const);
  return generic(
    omit,
    named(common),
    keys.length === 1 ? keys[0]! : { kind: "union", of: keys },
  );
}

/** Puts an interface together. */
export function parametersView(
  input: ParametersInput,
  properties: readonly PropertyView[],
  base: TypeTree | undefined,
): ParametersViews {
  const renamed = [...propertyNames(input.parameters)].filter(
    ([wire, property]) => wire !== property,
  );
  return {
    name: input.name,
    view: {
      doc: input.doc,
      name: identifier(input.name),
      heritage:
        base === undefined
          ? EMPTY
          : heritage(input.name, base, properties.length === 0),
      isEmpty: properties.length === 0,
      fields: properties.map(({ view }) => view),
    },
    enums: properties.flatMap(({ enums }) => enums),
    renamed: Object.fromEntries(
      renamed.map(([wire, property]) => [property, wire]),
    ),
    isRequired: properties.some(({ isRequired }) => isRequired),
  };
}
