import { requiredFields } from "../../model/queries.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type {
  Definition,
  EnumValue,
  Field,
  Method,
  Parameter,
} from "../../model/ir.js";
import { NameScope, pascalCase } from "../../model/names.js";
import { Code, EMPTY, identifier } from "../../render/typescript/code.js";
import type { View } from "../../render/engine.js";
import {
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import { codeSpan, valueNotes } from "./docs.js";
import { enumView } from "./enums.js";
import { heritage } from "./interfaces.js";
import { isUpload } from "../client/features.js";
import { memberView } from "./members.js";
import { bodyType, parameterType, type TypeNames } from "./types.js";

/** Properties of a call's parameter object that are not the document's. */
const OURS = ["requestBody", "media"];

/** A parameter interface and the enums that it mentions. */
export interface ParametersViews {
  readonly name: string;
  readonly view: View;
  readonly enums: readonly View[];
  /** Whether the interface has a required property, or members that `media` stands for. */
  readonly isRequired: boolean;
  /** Members of the body that are required unless there is `media`. */
  readonly orMedia: readonly string[];
}

/** What the interface is made from. */
export interface ParametersInput {
  readonly name: string;
  readonly doc: Code;
  readonly parameters: readonly Parameter[];
  /** The query parameter that the client fills in (`x-credential`). */
  readonly filled?: string | undefined;
  /** Property by wire name, where they differ. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Type names of the file. */
  readonly scope: NameScope;
  /** Prefix of enum names, e.g. `List`. */
  readonly prefix: string;
  readonly names: TypeNames;
  readonly trustProse: boolean;
  /** Whether callers give the values, so that `undefined` is as absent. */
  readonly isGiven?: boolean;
}

interface PropertyView {
  readonly view: View;
  readonly enums: readonly View[];
  readonly isRequired: boolean;
  readonly orMedia?: readonly string[];
}

/**
 * Property names by wire name, of the parameters whose name is ours.
 * @param taken gives other names of the same object
 */
export function renamedProperties(
  parameters: readonly Parameter[],
  taken: () => readonly string[] = () => [],
): ReadonlyMap<string, string> {
  const clashing = parameters.filter(({ name }) => OURS.includes(name));
  if (clashing.length === 0) return NONE;
  const names = parameters.map(({ name }) => name);
  const scope = new NameScope([...OURS, ...taken(), ...names]);
  return new Map(
    clashing.map(({ name }) => [name, scope.reserve(`${name}_`)] as const),
  );
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Views of parameters as the properties of an interface. */
export function parameterProperties(input: ParametersInput): PropertyView[] {
  const { parameters, renamed } = input;
  return parameters.map((parameter) => {
    const { name } = parameter;
    return propertyView(parameter, renamed.get(name) ?? name, input);
  });
}

function propertyView(
  parameter: Parameter,
  property: string,
  input: ParametersInput,
): PropertyView {
  const { schema, constraints, flags, description } = parameter;
  const isRequired =
    isBinding(flags.required, input.trustProse) &&
    parameter.name !== input.filled;
  const enums: View[] = [];
  let alias: string | undefined;
  if (schema.kind === "enum") {
    alias = input.scope.reserve(input.prefix + pascalCase(parameter.name));
    const doc = { notes: [`Values of ${codeSpan(parameter.name)}.`] };
    enums.push(
      input.isGiven === true && parameter.name === "alt"
        ? enumView(alias, jsonForms(schema.values), doc, true)
        : enumView(alias, schema.values, doc),
    );
  }
  const view = memberView({
    name: property,
    type: parameterType(parameter, alias, input.names),
    doc: {
      description,
      notes: [
        ...(property === parameter.name ? [] : [wireName(parameter.name)]),
        ...valueNotes(schema, constraints, flags),
        ...(parameter.name === input.filled ? [FILLED] : []),
      ],
      deprecated: flags.deprecated !== undefined,
    },
    isOptional: !isRequired,
    takesUndefined: input.isGiven,
  });
  return { view, enums, isRequired };
}

/**
 * Values of `alt` with which a call still has its own type: with `media` it has
 * not, for which there is `media()`. Others go through the option `query`.
 */
function jsonForms(values: readonly EnumValue[]): readonly EnumValue[] {
  const rest = values.filter(({ value }) => value !== "media");
  return rest.length === 0 ? values : rest;
}

/** For a property that has another name than the parameter. */
function wireName(name: string): string {
  return `Sent as ${codeSpan(name)}.`;
}

const FILLED = "Default: the credential of the client.";

/** The body as a property; required where the document says so of its fields. */
export function bodyProperty(
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
  names: TypeNames,
  trustProse: boolean,
  helper: (name: string) => string,
): PropertyView | undefined {
  if (method.request === undefined) return undefined;
  if (method.rawRequest === true) return rawBodyProperty(helper);
  const demanded = requiredFields(method, definitions, trustProse);
  const isContent = isUpload(method.upload) ? isBytes : () => false;
  const required = namesOf(demanded.filter((field) => !isContent(field)));
  const isRequired = required.length > 0;
  const type = bodyType(
    method.request,
    method.httpMethod === "PATCH" ? "Patch" : "Input",
    required,
    names,
    helper,
  );
  const view = memberView({
    name: "requestBody",
    type,
    doc: { notes: ["The request body."] },
    isOptional: !isRequired,
    takesUndefined: true,
  });
  const orMedia = namesOf(demanded.filter(isContent));
  return { view, enums: [], isRequired, orMedia };
}

function rawBodyProperty(helper: (name: string) => string): PropertyView {
  const view = memberView({
    name: "requestBody",
    type: named(helper("RawBody")),
    doc: { notes: ["The content, or an object that is sent as JSON."] },
    isOptional: true,
    takesUndefined: true,
  });
  return { view, enums: [], isRequired: false };
}

/** The content itself, which can be uploaded as `media` instead. */
function isBytes({ schema }: Field): boolean {
  return schema.kind === "scalar" && schema.format === "byte";
}

function namesOf(fields: readonly Field[]): string[] {
  return fields.map(({ name }) => name);
}

/** The content that a method uploads, as a property. */
export function mediaProperty(
  { upload }: Method,
  helper: (name: string) => string,
): PropertyView | undefined {
  if (!isUpload(upload)) return undefined;
  const view = memberView({
    name: "media",
    type: named(helper("UploadMedia")),
    doc: { notes: ["The content; without it only the metadata is sent."] },
    isOptional: true,
    takesUndefined: true,
  });
  return { view, enums: [], isRequired: false };
}

/** What the common parameters leave to the method's own ones of the same name. */
export function commonBase(
  common: string,
  omit: string,
  shadowed: readonly string[],
): TypeTree {
  if (shadowed.length === 0) return named(common);
  return generic(omit, named(common), keysType(shadowed));
}

/** Names of properties as a type. */
export function keysType(names: readonly string[]): TypeTree {
  const keys = names.map((value) => ({ kind: "literal", value }) as const);
  return keys.length === 1 ? keys[0]! : { kind: "union", of: keys };
}

/** Puts an interface together. */
export function parametersView(
  input: ParametersInput,
  properties: readonly PropertyView[],
  base: TypeTree | undefined,
): ParametersViews {
  const orMedia = properties.flatMap((property) => property.orMedia ?? []);
  return {
    name: input.name,
    orMedia,
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
    isRequired:
      orMedia.length > 0 || properties.some(({ isRequired }) => isRequired),
  };
}
