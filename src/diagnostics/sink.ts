import { catalogue, type Code } from "./catalogue.js";
import { pointerOf, type Diagnostic, type Path } from "./types.js";

/** Collects the findings about one input; the catalogue supplies the rest. */
export class Sink {
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
  }

  /** Records a finding of the given code at a place of the document. */
  report(code: Code, message: string, path?: Path | string): void {
    const { severity, cause, fix } = catalogue[code];
    const pointer = typeof path === "object" ? pointerOf(path) : path;
    this.diagnostics.push({
      code,
      severity,
      message,
      cause,
      fix,
      ...(this.#file === undefined ? {} : { file: this.#file }),
      ...(pointer === undefined ? {} : { pointer }),
    });
  }

  /** Whether anything was found that stops this input. */
  get failed(): boolean {
    return this.diagnostics.some((found) => found.severity === "error");
  }
}
