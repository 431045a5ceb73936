import { catalogue, type Code } from "./catalogue.js";
import { pointerOf, type Diagnostic, type Path } from "./types.js";

/**
 * Collects the findings about one input. Adds severity, cause and fix of the
 * diagnostic code from the catalogue.
 */
export class Sink {
  readonly diagnostics: Diagnostic[] = [];

  /** @param file name of the input file, as the user typed it */
  constructor(readonly file?: string) {}

  /** Adds a finding with a code and, if known, a location in the document. */
  report(code: Code, message: string, path?: Path | string): void {
    const { severity, cause, fix } = catalogue[code];
    const pointer = typeof path === "object" ? pointerOf(path) : path;
    this.diagnostics.push({
      code,
      severity,
      message,
      cause,
      fix,
      ...(this.file === undefined ? {} : { file: this.file }),
      ...(pointer === undefined ? {} : { pointer }),
    });
  }

  /** True if an error was reported. Errors stop the processing of the input. */
  get hasErrors(): boolean {
    return this.diagnostics.some((finding) => finding.severity === "error");
  }
}
