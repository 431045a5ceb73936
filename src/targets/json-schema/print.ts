import { NameScope } from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import type { OutputFile } from "../../platform/output-file.js";
import { apiFolder, pathSegment } from "../shared/api-folder.js";
import type { DataInput } from "../target.js";
import {
  Degradations,
  nameComponents,
  type SchemaContext,
} from "./schema-builder.js";
import { namedSchemas } from "./definitions.js";
import { findInputSchemas } from "./input-schemas.js";
import { jsonMembers, jsonObject, jsonText, type JsonObject } from "./json.js";
import { standardDialect } from "./standard-dialect.js";

/** Version of JSON Schema that the output uses. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Prints the schemas of an API. By default, all schemas are in `$defs` of
 * schemas.json. If the output is split, each schema is in a separate file, and
 * schemas.json contains references to these files.
 */
export function printJsonSchemas(input: DataInput): OutputFile[] {
  const { options } = input;
  return options.jsonSchemaSplit === true ? split(input) : [bundle(input)];
}

function bundle(input: DataInput): OutputFile {
  const context = contextOf(input, (name) => `#/$defs/${name}`);
  return file(input, "schemas.json", {
    ...header(input, "schemas.json"),
    $defs: jsonMembers(namedSchemas(input.api, context)),
  });
}

function split(input: DataInput): OutputFile[] {
  const files = new Map<string, string>();
  // File names must not differ only in case, because some file systems ignore
  // case.
  const scope = new NameScope([], true);
  const fileOf = (name: string): string => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const path = `${scope.reserve(pathSegment(name))}.json`;
    files.set(name, path);
    return path;
  };
  const context = contextOf(input, fileOf);
  for (const name of context.names.output.values()) fileOf(name);
  const schemas = [...namedSchemas(input.api, context)];
  const index = schemas.map(
    ([name]) => [name, { $ref: `schemas/${fileOf(name)}` }] as const,
  );
  return [
    file(input, "schemas.json", {
      ...header(input, "schemas.json"),
      $defs: jsonMembers(index),
    }),
    ...schemas.map(([name, schema]) => {
      const path = `schemas/${fileOf(name)}`;
      return file(input, path, { ...identity(input, path), ...schema });
    }),
  ];
}

function contextOf(
  { api, options, sink }: DataInput,
  reference: (name: string) => string,
): SchemaContext {
  const { trustProse } = options;
  const definitions = new Map(api.definitions.map((each) => [each.id, each]));
  const methods = methodsOf(api.root);
  const inputs = findInputSchemas(definitions, methods, trustProse);
  return {
    definitions,
    names: nameComponents(api, inputs, sink),
    dialect: standardDialect(reference),
    trustProse,
    degradations: new Degradations(sink),
  };
}

function header(input: DataInput, path: string): JsonObject {
  const { title, description } = input.api;
  return jsonObject({ ...identity(input, path), title, description });
}

/**
 * Returns an object with `$schema` and `$id`. The id does not contain the
 * revision of the document, so that it is stable.
 */
function identity({ api }: DataInput, path: string): JsonObject {
  return { $schema: DIALECT, $id: `discovery:/${apiFolder(api)}/${path}` };
}

function file({ api }: DataInput, path: string, value: JsonObject): OutputFile {
  return { path: `${apiFolder(api)}/${path}`, text: jsonText(value) };
}
