import type { Sink } from "../diagnostics/sink.js";
import type { RawDocument } from "../load/raw.js";
import { selectMethods } from "../select/select-methods.js";
import type { ApiSettings } from "./api-settings.js";

/** Settings that change a document before its model is built. */
export type EditSettings = Pick<ApiSettings, "include" | "exclude">;

/**
 * Applies the selection to a document. Pointers to the parts that remain are
 * those of the original.
 */
export function editDocument(
  document: RawDocument,
  settings: EditSettings,
  sink: Sink,
): RawDocument {
  return selectMethods(document, settings, sink);
}
