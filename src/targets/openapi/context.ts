import type { Api, Schema } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import {
  componentName,
  Degradations,
  type Direction,
  nameComponents,
  SchemaBuilder,
  type SchemaContext,
} from "../json-schema/schema-builder.js";
import { findInputSchemas } from "../json-schema/input-schemas.js";
import type { JsonObject } from "../json-schema/json.js";
import type { DataInput } from "../target.js";
import { openapiDialect } from "./dialect.js";

/** Data that all parts of an OpenAPI document share. */
export interface OpenapiContext extends DataInput {
  readonly schemas: SchemaContext;
  readonly degradations: Degradations;
  /** Name of the schema that describes error responses. */
  readonly errorSchema: string;
  /**
   * Map from the name of a common parameter to its key in
   * `components/parameters`.
   */
  readonly common: ReadonlyMap<string, string>;
  /**
   * Returns the schema of a JSON body. If the API wraps JSON bodies in an
   * object with a `data` member, the schema describes that object.
   */
  wrap(schema: JsonObject): JsonObject;
  /** Converts the schema of a body to an OpenAPI schema. */
  schema(schema: Schema, direction: Direction, pointer: string): JsonObject;
}

/**
 * Assigns the names in an OpenAPI document, and returns the data that its parts
 * share.
 */
export function openapiContext(input: DataInput): OpenapiContext {
  const { api, options, sink } = input;
  const definitions = new Map(api.definitions.map((each) => [each.id, each]));
  const methods = methodsOf(api.root);
  const { trustProse } = options;
  const inputs = findInputSchemas(definitions, methods, trustProse);
  const names = nameComponents(api, inputs, sink);
  const degradations = new Degradations(sink);
  const schemas: SchemaContext = {
    definitions,
    names,
    dialect: openapiDialect,
    trustProse,
    degradations,
  };
  const builders = {
    input: new SchemaBuilder(schemas, "input"),
    output: new SchemaBuilder(schemas, "output"),
  };
  const isWrapped = api.features.includes("dataWrapper");
  return {
    ...input,
    schemas,
    degradations,
    errorSchema: names.scope.reserve("ErrorResponse"),
    common: commonNames(api),
    wrap: (schema) =>
      isWrapped
        ? { type: "object", properties: { data: schema }, required: ["data"] }
        : schema,
    schema: (schema, direction, pointer) =>
      builders[direction].schema(schema, {}, pointer),
  };
}

function commonNames({ parameters }: Api): Map<string, string> {
  const scope = new NameScope(Object.getOwnPropertyNames(Object.prototype));
  return new Map(
    parameters.map(({ name }) => [name, scope.reserve(componentName(name))]),
  );
}
