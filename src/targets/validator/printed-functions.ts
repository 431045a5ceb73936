import type { OutputFile } from "../../render/output-file.js";
import type { Imports } from "../../render/typescript/imports.js";
import {
  emptyItemTexts,
  moduleFiles,
  type ItemTexts,
} from "../shared/module-files.js";
import type { TargetInput } from "../target.js";
import type { JsonFunctionView } from "./views.js";

/**
 * Prints the functions of json-schemas.ts one by one, because the template data
 * for all functions at once would take several times as much memory as the
 * generated file.
 */
export class PrintedFunctions {
  /** Template data of functions, if a user's templates print them. */
  readonly #views: JsonFunctionView[] = [];
  readonly #items: ItemTexts;
  #count = 0;

  constructor(private readonly input: TargetInput) {
    this.#items = emptyItemTexts(input.options);
  }

  /** Adds a function to the file. */
  add(view: JsonFunctionView): void {
    const { engine, texts } = this.input;
    this.#count++;
    if (engine.isCustom) {
      this.#views.push(view);
      return;
    }
    const text = engine.render("validator/json-function", view);
    (this.#items.ts ?? this.#items.js)!.push(texts.keep(text));
    this.#items["d.ts"]?.push(texts.keep(`${view.declaration!.text}\n`));
  }

  /**
   * Returns the generated file; an empty list if it would contain no functions.
   */
  files(imports: Imports): OutputFile[] {
    if (this.#count === 0) return [];
    const { engine } = this.input;
    return moduleFiles(
      {
        path: "json-schemas",
        template: "validator/json-schemas",
        view: { functions: this.#views },
        imports,
        list: engine.isCustom
          ? undefined
          : { member: "functions", items: this.#items },
      },
      this.input,
      engine,
    );
  }
}
