import type { Engine } from "../../render/engine.js";
import {
  banner,
  FileContext,
  nullableIn,
  type ClientContext,
} from "./file-context.js";
import { definitionViews, type SchemaContext } from "./interfaces.js";

/** schemas.ts: the document's schemas as interfaces and type aliases. */
export function schemasFile(context: ClientContext, engine: Engine): string {
  const { api, names } = context;
  const file = new FileContext(context, names.schemaScope, "./");
  const schemaContext: SchemaContext = {
    api,
    apiNames: names,
    definitions: new Map(
      api.definitions.map((definition) => [definition.id, definition]),
    ),
    trustProse: context.options.trustProse,
    names: {
      isNullable: nullableIn(api),
      definition: (id, direction) =>
        (direction === "input" ? names.inputs.get(id) : undefined) ??
        names.types.get(id)!,
      double: () => file.runtimeType("Double"),
    },
  };
  const definitions = api.definitions.flatMap((definition) =>
    definitionViews(definition, schemaContext),
  );
  return engine.render("client/schemas", {
    banner: banner(context),
    imports: file.imports.render(),
    definitions,
  });
}
