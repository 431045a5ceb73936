import type { Engine, TemplateViews } from "../../render/engine.js";
import type {
  OutputFile,
  PartedFile,
  TextPart,
} from "../../render/output-file.js";
import { Code } from "../../render/typescript/code.js";
import type { Imports } from "../../render/typescript/imports.js";
import type { ApiContext } from "./api-context.js";
import { banner } from "./banner.js";
import type { TargetOptions } from "./target-options.js";

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

/** File extensions of modules. */
export type Suffix = "ts" | "js" | "d.ts";

/** List in the view of a module. Its items are printed before the module. */
export interface PrintedList {
  /** Name of the view's member that contains the list. */
  readonly member: string;
  /** Texts of the items; each ends with a line feed. */
  readonly items: Partial<Record<Suffix, readonly TextPart[]>>;
}

/** Printed items of a list, by extension of the file that contains them. */
export type ItemTexts = Partial<Record<Suffix, TextPart[]>>;

/** Returns an empty list of items for each file of a module. */
export function emptyItemTexts({ emit }: TargetOptions): ItemTexts {
  return emit === "js" ? { js: [], "d.ts": [] } : { ts: [] };
}

/** Generated module of an API. */
export interface Module<Name extends ModuleTemplate> {
  /** Path relative to the folder of the API, without file extension. */
  readonly path: string;
  readonly template: Name;
  readonly view: ModuleView<TemplateViews[Name]>;
  /** Imports of the module; absent if the template prints no imports. */
  readonly imports?: Imports;
  readonly list?: PrintedList | undefined;
}

/** Character that no template prints; it is replaced by the items of a list. */
const MARK = "\0";

/** Text between the items of a list. */
const BLANK_LINE = "\n";

/**
 * Prints the files of a module: a TypeScript file, or a JavaScript file and its
 * declaration file.
 */
export function moduleFiles<Name extends ModuleTemplate>(
  { path, template, view, imports, list }: Module<Name>,
  { api, names, options, texts }: ApiContext,
  engine: Engine,
): OutputFile[] {
  const file = (
    suffix: Suffix,
    name: keyof TemplateViews,
    code: unknown,
  ): PartedFile => {
    const items = list?.items[suffix] ?? [];
    const text = engine.render(name, {
      ...view,
      ...markedList(list, items),
      banner: banner(api, options),
      imports: code,
    } as never);
    return {
      path: `${names.folder}/${path}.${suffix}`,
      parts: withItems(text, items),
    };
  };
  if (options.emit !== "js")
    return texts.files([file("ts", template, imports?.render())]);
  const form = (suffix: string): keyof TemplateViews =>
    `${template}.${suffix}` as keyof TemplateViews;
  return texts.files([
    file("js", form("js"), imports?.renderValues()),
    file("d.ts", form("d"), imports?.renderTypes()),
  ]);
}

/** Returns the list of a view, with one mark instead of its items. */
function markedList(
  list: PrintedList | undefined,
  items: readonly TextPart[],
): object {
  if (list === undefined) return {};
  const mark = { printed: new Code(MARK) };
  return { [list.member]: items.length === 0 ? [] : [mark] };
}

/** Returns the parts of a text, with the items of a list instead of the mark. */
function* withItems(
  text: string,
  items: readonly TextPart[],
): Generator<TextPart> {
  const [before = "", after] = items.length === 0 ? [text] : text.split(MARK);
  yield before;
  for (const [index, item] of items.entries()) {
    if (index > 0) yield BLANK_LINE;
    yield item;
  }
  if (after !== undefined) yield after;
}
