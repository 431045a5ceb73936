import type { Engine, TemplateViews } from "../../render/engine.js";
import type { OutputFile } from "../../render/output-file.js";
import type { Imports } from "../../render/typescript/imports.js";
import type { ApiContext } from "./api-context.js";
import { banner } from "./banner.js";

/** Templates of modules, which have a form for each file of a module. */
export type ModuleTemplate = {
  [Name in keyof TemplateViews]: `${Name}.js` extends keyof TemplateViews
    ? Name
    : never;
}[keyof TemplateViews];

/** View of a module without the parts that all modules have. */
export type ModuleView<View> = Omit<View, "banner" | "imports">;

/** Module of an API. */
export interface Module<Name extends ModuleTemplate> {
  /** Path below the folder of the API, without suffix. */
  readonly path: string;
  readonly template: Name;
  readonly view: ModuleView<TemplateViews[Name]>;
  /** Imports of the module; absent if the view has none. */
  readonly imports?: Imports;
}

/**
 * Prints a module: a TypeScript file, or a JavaScript file and its
 * declarations.
 */
export function moduleFiles<Name extends ModuleTemplate>(
  { path, template, view, imports }: Module<Name>,
  { api, names, options }: ApiContext,
  engine: Engine,
): OutputFile[] {
  const file = (
    suffix: string,
    name: keyof TemplateViews,
    code: unknown,
  ): OutputFile => ({
    path: `${names.folder}/${path}.${suffix}`,
    text: engine.render(name, {
      ...view,
      banner: banner(api),
      imports: code,
    } as never),
  });
  if (options.emit !== "js") return [file("ts", template, imports?.render())];
  const form = (suffix: string): keyof TemplateViews =>
    `${template}.${suffix}` as keyof TemplateViews;
  return [
    file("js", form("js"), imports?.renderValues()),
    file("d.ts", form("d"), imports?.renderTypes()),
  ];
}
