import type { TextPart } from "../../platform/text-store.js";
import type { PrintedList, Suffix } from "../shared/module-files.js";
import type { TargetInput } from "../target.js";
import type { ValidatorItem } from "./views.js";

/**
 * Printed items, keyed by the file that contains them. A user's templates print
 * items together with the file, so these items are views.
 */
export interface PrintedItems {
  readonly views: readonly ValidatorItem[];
  readonly texts: Partial<Record<Suffix, TextPart>>;
}

/** Empty list of items. */
export const NO_ITEMS: PrintedItems = { views: [], texts: {} };

/**
 * Prints the items of validators.ts one by one. The views of all items would
 * take several times the memory of their text.
 */
export class ItemPrinter {
  readonly views: ValidatorItem[] = [];
  readonly #items: Partial<Record<Suffix, TextPart[]>>;

  constructor(private readonly input: TargetInput) {
    const { emit } = input.options;
    this.#items = emit === "js" ? { js: [], "d.ts": [] } : { ts: [] };
  }

  /** Items to print with the file; undefined for a user's templates. */
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

  /** Prints items that follow each other in the file. */
  print(views: readonly ValidatorItem[]): PrintedItems {
    if (views.length === 0) return NO_ITEMS;
    if (this.input.engine.isCustom) return { views, texts: {} };
    const { texts: store } = this.input;
    const texts: Partial<Record<Suffix, TextPart>> = {};
    for (const suffix of Object.keys(this.#items) as Suffix[]) {
      const printed = views
        .map((view) => this.#text(view, suffix))
        .filter((text) => text !== "");
      if (printed.length > 0) texts[suffix] = store.keep(printed.join("\n"));
    }
    return { views: [], texts };
  }

  /** Adds printed items to the file. */
  add({ views, texts }: PrintedItems): void {
    for (const view of views) this.views.push(view);
    for (const [suffix, text] of Object.entries(texts))
      this.#items[suffix as Suffix]!.push(text);
  }

  /** Returns an empty text for items that a declaration file does not contain. */
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
