import { isBinding } from "../../model/infer/field-flags.js";
import type { EnumValue, Method, Parameter } from "../../model/ir.js";
import { type NameScope, pascalCase } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import {
  generic,
  interfaceHead,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import { codeSpan, valueNotes } from "./doc-notes.js";
import { enumView } from "./enums.js";
import { memberView } from "./members.js";
import { parameterType, type TypeNames } from "./types.js";
import type { EnumDeclaration, InterfaceView, MemberView } from "./views.js";

/**
 * Template data for an interface of parameters, and for the enums that the
 * interface uses.
 */
export interface ParametersViews {
  readonly name: string;
  readonly view: InterfaceView;
  readonly enums: readonly EnumDeclaration[];
  /**
   * True if a property of the interface, or a member in `orMedia`, is required.
   */
  readonly isRequired: boolean;
  /**
   * Members of the request body that are required unless the `media` property
   * is set.
   */
  readonly orMedia: readonly string[];
}

/**
 * Data from which the interface for the parameters of a call or handler is
 * printed.
 */
export interface ParametersInput {
  readonly name: string;
  readonly doc: Code;
  readonly parameters: readonly Parameter[];
  /**
   * Name of the query parameter that contains the credential (`x-credential`).
   * If a call omits the parameter, the client's credential is sent.
   */
  readonly credentialParameter?: string | undefined;
  /** Parameter to which the client assigns a random UUID if a call omits it. */
  readonly requestIdParameter?: Parameter | undefined;
  /**
   * Map from the name of a parameter in requests to its property name, for
   * parameters whose property name differs.
   */
  readonly renamed: ReadonlyMap<string, string>;
  /** Names that are already used in the file. */
  readonly scope: NameScope;
  /** Prefix for the names of enum types, such as `List`. */
  readonly prefix: string;
  readonly names: TypeNames;
  readonly trustProse: boolean;
  /**
   * True for the parameters of a call, in which `undefined` means that a
   * parameter is absent. False for the parameters of a handler.
   */
  readonly isCall?: boolean;
}

/** Template data for a property of an interface of parameters. */
export interface PropertyView {
  readonly view: MemberView;
  readonly enums: readonly EnumDeclaration[];
  readonly isRequired: boolean;
  readonly orMedia?: readonly string[];
}

/** Returns the template data for parameters as properties of an interface. */
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
    parameter.name !== input.credentialParameter;
  const enums: EnumDeclaration[] = [];
  let alias: string | undefined;
  if (schema.kind === "enum") {
    alias = input.scope.reserve(input.prefix + pascalCase(parameter.name));
    const doc = { notes: [`Values of ${codeSpan(parameter.name)}.`] };
    enums.push(
      input.isCall === true && parameter.name === "alt"
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
        ...(parameter.name === input.credentialParameter
          ? [CREDENTIAL_DEFAULT]
          : []),
        ...(parameter === input.requestIdParameter ? [REQUEST_ID_DEFAULT] : []),
      ],
      deprecated: flags.deprecated !== undefined,
    },
    isOptional: !isRequired,
    acceptsUndefined: input.isCall,
  });
  return { view, enums, isRequired };
}

/**
 * Returns the values of `alt` that do not change the type of a call's result.
 * The value `media` is omitted, because calls have the `.media()` method
 * instead. Values that are not listed can be sent with the `query` option.
 */
function jsonForms(values: readonly EnumValue[]): readonly EnumValue[] {
  const rest = values.filter(({ value }) => value !== "media");
  return rest.length === 0 ? values : rest;
}

function wireName(name: string): string {
  return `Sent as ${codeSpan(name)}.`;
}

const CREDENTIAL_DEFAULT = "Default: the credential of the client.";

const REQUEST_ID_DEFAULT =
  "Default: a random UUID, so that the call can be retried.";

/** Returns the common parameters that a method redeclares. */
export function replacedParameters(
  method: Method,
  common: readonly Parameter[],
): Parameter[] {
  const names = new Set(method.parameters.map(({ name }) => name));
  return common.filter(({ name }) => names.has(name));
}

/**
 * Returns the type of the common parameters except those that a method
 * redeclares.
 */
export function commonBase(
  common: string,
  omit: string,
  replaced: readonly string[],
): TypeTree {
  if (replaced.length === 0) return named(common);
  return generic(omit, named(common), keysType(replaced));
}

/** Returns a union of string literal types with the given property names. */
export function keysType(names: readonly string[]): TypeTree {
  const keys = names.map((value) => ({ kind: "literal", value }) as const);
  return keys.length === 1 ? keys[0]! : { kind: "union", of: keys };
}

/**
 * Returns the template data for an interface of parameters.
 * @param base type that the interface extends, if any
 */
export function parametersView(
  input: ParametersInput,
  properties: readonly PropertyView[],
  base: TypeTree | undefined,
): ParametersViews {
  const orMedia = properties.flatMap((property) => property.orMedia ?? []);
  const isEmpty = properties.length === 0;
  return {
    name: input.name,
    orMedia,
    view: {
      doc: input.doc,
      head: interfaceHead(input.name, { base, isEmpty }),
      isEmpty,
      fields: properties.map(({ view }) => view),
    },
    enums: properties.flatMap(({ enums }) => enums),
    isRequired:
      orMedia.length > 0 || properties.some(({ isRequired }) => isRequired),
  };
}
