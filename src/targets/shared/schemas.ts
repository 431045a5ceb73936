import type { Engine } from "../../render/engine.js";
import type { ApiContext } from "./api-context.js";
import type { OutputFile } from "../../render/output-file.js";
import { Code } from "../../render/typescript/code.js";
import { moduleFiles } from "./module-files.js";
import { declaredTypes, FileContext } from "./file-context.js";
import { definitionViews, type SchemaContext } from "./interfaces.js";
import { schemaScope } from "./type-names.js";
import type { DeclarationView, PrintedDeclaration } from "./views.js";

/**
 * Prints schemas.ts, which contains the document's schemas as interfaces and
 * type aliases.
 */
export function schemasFile(context: ApiContext, engine: Engine): OutputFile[] {
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
  const view = {
    definitions: api.definitions.flatMap((definition) =>
      definitionViews(definition, schemaContext).map((declaration) =>
        engine.isCustom ? declaration : printed(declaration, engine),
      ),
    ),
  };
  const { imports } = file;
  return moduleFiles(
    { path: "schemas", template: "client/schemas", view, imports },
    context,
    engine,
  );
}

/**
 * Prints a declaration before the template data of the next declaration is
 * built. The template data of all declarations would take several times the
 * memory of the printed text.
 */
function printed(
  declaration: DeclarationView,
  engine: Engine,
): PrintedDeclaration {
  const text =
    "isInterface" in declaration
      ? engine.render("client/interface", declaration)
      : "options" in declaration
        ? engine.render("client/enum", declaration)
        : engine.render("client/alias", declaration);
  return { printed: new Code(text) };
}
