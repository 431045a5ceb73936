import type { Api, Definition } from "../../model/ir.js";
import {
  type ComponentNames,
  SchemaBuilder,
  type SchemaContext,
} from "./schema-builder.js";
import type { JsonObject } from "./json.js";

/**
 * Returns the named schemas of an API in the order of the document. If there is
 * a separate schema for requests, it follows the schema for responses. Each
 * schema is created on demand, because all schemas at once would take much
 * memory.
 */
export function* namedSchemas(
  api: Api,
  context: SchemaContext,
): Generator<readonly [name: string, schema: JsonObject]> {
  const output = new SchemaBuilder(context, "output");
  const input = new SchemaBuilder(context, "input");
  const of = (
    definition: Definition,
    names: ComponentNames["output"],
    builder: SchemaBuilder,
  ): (readonly [string, JsonObject])[] => {
    const name = names.get(definition.id);
    return name === undefined ? [] : [[name, builder.definition(definition)]];
  };
  const { names } = context;
  for (const definition of api.definitions) {
    yield* of(definition, names.output, output);
    yield* of(definition, names.input, input);
  }
}
