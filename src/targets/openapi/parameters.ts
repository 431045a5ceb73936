import { escapeToken } from "../../diagnostics/types.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type { Parameter } from "../../model/ir.js";
import {
  jsonMembers,
  jsonObject,
  type Json,
  type JsonObject,
} from "../json-schema/json.js";
import { SchemaBuilder } from "../json-schema/schema-builder.js";
import type { OpenapiContext } from "./context.js";
import type { NamedRequest } from "./path-groups.js";
import type { PathVariable } from "./path-templates.js";

/**
 * Pattern that matches headers that OpenAPI ignores if they are declared as
 * parameters.
 */
const IGNORED_HEADERS = /^(?:accept|content-type|authorization)$/i;

/**
 * Returns `components/parameters`, which contains the parameters that all
 * methods accept.
 */
export function commonParameters(context: OpenapiContext): JsonObject {
  const { api, common } = context;
  return jsonMembers(
    api.parameters.map((parameter) => [
      common.get(parameter.name)!,
      otherParameter(parameter, "query", "", context),
    ]),
  );
}

/** Returns references to the parameters that all methods accept, by name. */
export function commonReferences({
  common,
}: OpenapiContext): Map<string, JsonObject> {
  return new Map(
    [...common].map(([name, key]) => [
      name,
      { $ref: `#/components/parameters/${key}` },
    ]),
  );
}

/**
 * Parameters of an operation, and extensions for the parameters that OpenAPI
 * can't express.
 */
export interface OperationParameters {
  readonly parameters: readonly JsonObject[];
  /** Extensions that are added to the operation. */
  readonly extensions: JsonObject;
}

/** Returns the path, query and header parameters of a request. */
export function operationParameters(
  { method, variables, template }: NamedRequest,
  context: OpenapiContext,
): OperationParameters {
  const { pointer, parameters, headers = [], apiVersion } = method;
  const byName = new Map(parameters.map((each) => [each.name, each]));
  const inPath = variables.map((variable, index) =>
    pathParameter(
      variable,
      byName.get(variable.parameter)!,
      variables.findIndex((each) => each.parameter === variable.parameter) ===
        index,
      pointer,
      context,
    ),
  );
  const used = new Set([
    ...variables.map(({ parameter }) => parameter),
    ...template.values.keys(),
  ]);
  const sent = parameters.filter(({ location }) => location === "query");
  const lost = parameters.filter(
    ({ location, name }) => location === "path" && !used.has(name),
  );
  const known = headers.filter(({ name }) => !IGNORED_HEADERS.test(name));
  const ignored = headers.filter(({ name }) => IGNORED_HEADERS.test(name));
  const of =
    (place: string) =>
    (parameter: Parameter): JsonObject =>
      otherParameter(parameter, place, pointer, context);
  const listOf = (list: readonly JsonObject[]): Json | undefined =>
    list.length === 0 ? undefined : list;
  return {
    parameters: [
      ...inPath,
      ...sent.map(of("query")),
      ...known.map(of("header")),
      ...versionHeader(apiVersion),
    ],
    extensions: jsonObject({
      "x-discovery-parameters": listOf(lost.map(of("path"))),
      "x-discovery-headers": listOf(ignored.map(of("header"))),
    }),
  };
}

/**
 * Returns the header parameter that selects the version of a method
 * (`apiVersion`); an empty list if the method has no version.
 */
function versionHeader(apiVersion: string | undefined): JsonObject[] {
  if (apiVersion === undefined) return [];
  return [
    {
      name: "X-Goog-Api-Version",
      in: "header",
      description: "Version of the method.",
      schema: { type: "string", default: apiVersion },
    },
  ];
}

/**
 * @param isFirst true for the first of several path variables that represent
 *   the same parameter in the document
 */
function pathParameter(
  variable: PathVariable,
  declared: Parameter,
  isFirst: boolean,
  pointer: string,
  context: OpenapiContext,
): JsonObject {
  const { name, parameter, isPart, isOpen, style, explode, prefix } = variable;
  if (isOpen || prefix !== undefined)
    context.degradations.report(
      "variable",
      isOpen
        ? `values of the path variable ${JSON.stringify(parameter)} can contain slashes, which OpenAPI does not allow`
        : `only the first ${prefix} characters of the path variable ${JSON.stringify(parameter)} are sent, which OpenAPI can't express`,
      pointer,
    );
  const { description, ...rest } = isPart
    ? segmentParameter(variable, declared, isFirst)
    : valueParameter(declared, pointer, context);
  return jsonObject({
    name,
    in: "path",
    description,
    required: true,
    ...rest,
    style: style === "simple" ? undefined : style,
    explode: explode || undefined,
    "x-discovery-name": isPart || name === parameter ? undefined : parameter,
    "x-discovery-part-of": isPart ? parameter : undefined,
    "x-discovery-multi-segment": isOpen || undefined,
    "x-discovery-prefix": prefix,
  });
}

/**
 * Returns the members of a path parameter for one of the segments into which a
 * variable was split.
 */
function segmentParameter(
  { parameter, pattern }: PathVariable,
  { description, flags }: Parameter,
  isFirst: boolean,
): JsonObject {
  const text = `Segment of \`${parameter}\`.`;
  const isDescribed = isFirst && description !== undefined;
  return jsonObject({
    description: isDescribed ? `${text} ${description}` : text,
    deprecated: flags.deprecated && true,
    schema: jsonObject({
      type: "string",
      pattern: pattern === undefined ? undefined : `^${pattern}$`,
    }),
  });
}

/** Returns a query or header parameter. */
function otherParameter(
  parameter: Parameter,
  place: string,
  pointer: string,
  context: OpenapiContext,
): JsonObject {
  const { name, flags, forms } = parameter;
  const { description, ...rest } = valueParameter(parameter, pointer, context);
  const isRequired = isBinding(flags.required, context.options.trustProse);
  return jsonObject({
    name,
    in: place,
    description,
    required: isRequired || undefined,
    ...rest,
    "x-discovery-list-forms": forms && [...forms],
  });
}

/** Returns the members of a parameter that describe its value. */
function valueParameter(
  { name, schema, constraints, repeated, location, flags, ...rest }: Parameter,
  pointer: string,
  { schemas }: OpenapiContext,
): JsonObject {
  const at = `${pointer}/parameters/${escapeToken(name)}`;
  const builder = new SchemaBuilder(schemas, "input");
  const { default: fallback, ...value } = builder.schema(
    schema,
    constraints,
    at,
  );
  const isObject = schema.kind === "map" || schema.kind === "ref";
  const isList = repeated || schema.kind === "list";
  const isQuery = location === "query";
  return jsonObject({
    description: rest.description,
    deprecated: flags.deprecated && true,
    style:
      isQuery && isObject
        ? "deepObject"
        : isList && isQuery
          ? "form"
          : undefined,
    explode: (isQuery && (isObject || isList)) || undefined,
    schema: repeated
      ? jsonObject({
          type: "array",
          items: value,
          default: fallback === undefined ? undefined : [fallback],
        })
      : jsonObject({ ...value, default: fallback }),
  });
}
