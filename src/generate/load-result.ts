import type { Diagnostic } from "../diagnostics/types.js";
import type { Api } from "../model/ir.js";

/** Model of a document; absent if a diagnostic is an error. */
export interface LoadResult {
  readonly api?: Api;
  readonly diagnostics: readonly Diagnostic[];
}
