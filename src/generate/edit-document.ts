import type { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { RawDocument } from "../load/raw.js";
import type { ApiSettings } from "./api-settings.js";

/** Settings that change a document before a model is built from it. */
export type EditSettings = Pick<ApiSettings, "include" | "exclude" | "patches">;

/** Document after patches were applied and methods selected. */
export interface EditedDocument {
  readonly document: RawDocument;
  /**
   * Function that corrects the positions of findings. If a patch changed the
   * value that a finding is about, the finding gets the position in the patch
   * file. If a patch renamed the value, the finding gets the value's JSON
   * pointer in the original document.
   */
  readonly relocate: (findings: readonly Diagnostic[]) => Diagnostic[];
}

/**
 * Returns an unchanged document with a `relocate` function that changes
 * nothing.
 */
export function unedited(document: RawDocument): EditedDocument {
  return { document, relocate: (findings) => [...findings] };
}

/**
 * Applies the patches and then the method selection to a document. The modules
 * for both are imported on demand, since most runs use neither.
 * @param sink collector of diagnostics, which already contains the findings
 * about the original document
 */
export async function editDocument(
  document: RawDocument,
  { patches = [], include = [], exclude = [] }: EditSettings,
  sink: Sink,
): Promise<EditedDocument> {
  let { document: edited, relocate } = unedited(document);
  if (patches.length > 0) {
    const { applyPatches } = await import("../patch/apply-patches.js");
    const before = sink.diagnostics.length;
    const patched = applyPatches(document, patches, sink);
    edited = patched.document;
    relocate = (findings) =>
      findings.map((finding, index) =>
        index < before ? finding : patched.origins.relocate(finding),
      );
  }
  if (include.length + exclude.length > 0 && !sink.hasErrors) {
    const { selectMethods } = await import("../select/select-methods.js");
    edited = selectMethods(edited, { include, exclude }, sink);
  }
  // After a rejected patch, the edited document can be invalid, so the original
  // is used.
  return sink.hasErrors ? unedited(document) : { document: edited, relocate };
}
