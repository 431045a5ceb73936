import type { TextPart } from "../../render/output-file.js";
import {
  emptyItemTexts,
  type ItemTexts,
  type PrintedList,
  type Suffix,
} from "../shared/module-files.js";
import type { TargetInput } from "../target.js";
import type { ValidatorItem } from "./views.js";

/**
 * Printed items of validators.ts, by file extension. If a user's templates print
 * the file, this is the template data of the items instead.
 */
export type PrintedItems = readonly ValidatorItem[] | PrintedTexts;

type PrintedTexts = Partial<Record<Suffix, TextPart>>;

/** Empty list of items. */
export const NO_ITEMS: PrintedItems = [];

/**
 * Prints the items of validators.ts one by one, because the template data for
 * all items at once would take several times as much memory as the generated
 * file.
 */
export class ItemPrinter {
  readonly views: ValidatorItem[] = [];
  readonly #items: ItemTexts;

  constructor(private readonly input: TargetInput) {
    this.#items = emptyItemTexts(input.options);
  }

  /** Printed items; undefined if a user's templates print them. */
  get list(): PrintedList | undefined {
    return this.input.engine.isCustom
      ? undefined
      : { member: "items", items: this.#items };
  }

  /** True if the output is JavaScript, and the declaration file has no item. */
  get isScript(): boolean {
    const declared = this.#items["d.ts"];
    return (
      declared?.length === 0 &&
      !this.views.some((item) => "declaration" in item)
    );
  }

  /** Prints adjacent items of the file. */
  print(views: readonly ValidatorItem[]): PrintedItems {
    if (views.length === 0 || this.input.engine.isCustom) return views;
    if (this.input.options.emit !== "js")
      return { ts: this.#keep(views, "ts") };
    const js = this.#keep(views, "js");
    const isDeclared = views.some((item) => declarationOf(item) !== "");
    return isDeclared ? { js, "d.ts": this.#keep(views, "d.ts") } : { js };
  }

  /** Adds printed items to the file. */
  add(items: PrintedItems): void {
    if (isViews(items)) for (const view of items) this.views.push(view);
    else
      for (const [suffix, text] of Object.entries(items))
        this.#items[suffix as Suffix]!.push(text);
  }

  #keep(views: readonly ValidatorItem[], suffix: Suffix): TextPart {
    const printed = views.map((view) => this.#text(view, suffix));
    const texts = printed.filter((text) => text !== "");
    return this.input.texts.keep(texts.join("\n"));
  }

  /** Returns an empty string for items that declaration files do not contain. */
  #text(item: ValidatorItem, suffix: Suffix): string {
    const { engine } = this.input;
    if (suffix === "d.ts") return declarationOf(item);
    if ("isConstant" in item) return `${item.text.text}\n`;
    if ("isExport" in item)
      return suffix === "js"
        ? engine.render("validator/export.js", item)
        : engine.render("validator/export", item);
    return item.isObject
      ? engine.render("validator/object", item)
      : engine.render("validator/function", item);
  }
}

function declarationOf(item: ValidatorItem): string {
  if (!("declaration" in item) || item.declaration === undefined) return "";
  const doc = "doc" in item ? item.doc.text : "";
  return `${doc}${item.declaration.text}\n`;
}

function isViews(items: PrintedItems): items is readonly ValidatorItem[] {
  return Array.isArray(items);
}
