import type { Engine, TemplateViews } from "../../render/engine.js";
import type { OutputFile } from "../../platform/output-file.js";
import type { Imports } from "../../render/typescript/imports.js";
import type { ApiContext } from "./api-context.js";
import { banner } from "./banner.js";

/**
 * Names of the module templates. For each of them, there are also templates for
 * the JavaScript file and the declaration file.
 */
export type ModuleTemplate = {
  [Name in keyof TemplateViews]: `${Name}.js` extends keyof TemplateViews
    ? Name
    : never;
}[keyof TemplateViews];

/** Template data of a module except the members that all modules have. */
export type ModuleView<View> = Omit<View, "banner" | "imports">;

/** Generated module of an API. */
export interface Module<Name extends ModuleTemplate> {
  /** Path relative to the folder of the API, without file extension. */
  readonly path: string;
  readonly template: Name;
  readonly view: ModuleView<TemplateViews[Name]>;
  /** Imports of the module; absent if the template prints no imports. */
  readonly imports?: Imports;
}

/**
 * Prints the files of a module: a TypeScript file, or a JavaScript file and its
 * declaration file.
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
  ): OutputFile => {
    const data = { ...view, banner: banner(api, options), imports: code };
    const text = engine.render(name, data as never);
    return { path: `${names.folder}/${path}.${suffix}`, text };
  };
  if (options.emit !== "js") return [file("ts", template, imports?.render())];
  const form = (suffix: string): keyof TemplateViews =>
    `${template}.${suffix}` as keyof TemplateViews;
  return [
    file("js", form("js"), imports?.renderValues()),
    file("d.ts", form("d"), imports?.renderTypes()),
  ];
}
