import type { Engine, TemplateViews } from "../../render/engine.js";
import type { OutputFile } from "../../platform/output-file.js";
import type { Imports } from "../../render/typescript/imports.js";
import type { ApiContext } from "./api-context.js";
import { banner } from "./banner.js";

export type ModuleTemplate = {
  [Name in keyof TemplateViews]: TemplateViews[Name] extends {
    readonly banner: unknown;
  }
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

/** Prints the TypeScript file of a module. */
export function moduleFile<Name extends ModuleTemplate>(
  { path, template, view, imports }: Module<Name>,
  { api, names, options }: ApiContext,
  engine: Engine,
): OutputFile {
  const data = {
    ...view,
    banner: banner(api, options),
    imports: imports?.render(),
  };
  return {
    path: `${names.folder}/${path}.ts`,
    text: engine.render(template, data as never),
  };
}
