import type { Engine } from "../../render/engine.js";
import type { ApiContext } from "./api-context.js";
import { banner } from "./banner.js";
import { declaredTypes, FileContext } from "./file-context.js";
import { definitionViews, type SchemaContext } from "./interfaces.js";
import { schemaScope } from "./type-names.js";

/**
 * Prints schemas.ts, which contains the schemas of the document as interfaces
 * and type aliases.
 */
export function schemasFile(context: ApiContext, engine: Engine): string {
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
  const views = api.definitions.flatMap((definition) =>
    definitionViews(definition, schemaContext),
  );
  return engine.render("client/schemas", {
    banner: banner(api),
    imports: file.imports.render(),
    definitions: views,
  });
}
