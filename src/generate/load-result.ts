import type { Diagnostic } from "../diagnostics/types.js";
import type { Api } from "../model/ir.js";

/**
 * Model of a document, and findings about the document; the model is absent if
 * a finding is an error.
 */
export interface LoadResult {
  readonly api?: Api;
  readonly diagnostics: readonly Diagnostic[];
}
