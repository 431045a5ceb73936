import type { Engine } from "../../render/engine.js";
import type { ApiContext } from "./api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { moduleFile } from "./module-file.js";
import { declaredTypes, FileContext } from "./file-context.js";
import { definitionViews, type SchemaContext } from "./interfaces.js";
import { schemaScope } from "./type-names.js";

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
