import type { Engine } from "../../render/engine.js";
import type { ApiContext } from "./api-context.js";
import type { OutputFile, TextPart } from "../../render/output-file.js";
import { moduleFiles } from "./module-files.js";
import { declaredTypes, FileContext } from "./file-context.js";
import { definitionViews, type SchemaContext } from "./interfaces.js";
import { schemaScope } from "./type-names.js";
import type { DeclarationView } from "./views.js";

/**
 * Prints schemas.ts, which contains the document's schemas as interfaces and
 * type aliases.
 */
export function schemasFile(context: ApiContext, engine: Engine): OutputFile[] {
  const { api, names, definitions, options, texts } = context;
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
  const module = {
    path: "schemas",
    template: "client/schemas",
    imports,
  } as const;
  const declarations: DeclarationView[] = [];
  const items: TextPart[] = [];
  for (const definition of api.definitions)
    for (const view of definitionViews(definition, schemaContext))
      if (engine.isCustom) declarations.push(view);
      else items.push(texts.keep(printed(view, engine)));
  const suffix = options.emit === "js" ? "d.ts" : "ts";
  const list = { member: "definitions", items: { [suffix]: items } };
  const view = { definitions: declarations };
  return moduleFiles(
    { ...module, view, list: engine.isCustom ? undefined : list },
    context,
    engine,
  );
}

/**
 * Prints a declaration before the template data of the next declaration is
 * built, because the template data of all declarations at once would take
 * several times as much memory as the printed text.
 */
function printed(declaration: DeclarationView, engine: Engine): string {
  return "isInterface" in declaration
    ? engine.render("client/interface", declaration)
    : "options" in declaration
      ? engine.render("client/enum", declaration)
      : engine.render("client/alias", declaration);
}
