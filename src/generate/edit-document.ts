import type { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { RawDocument } from "../load/raw.js";
import type { ApiSettings } from "./api-settings.js";

/** Settings that change a document before its model is built. */
export type EditSettings = Pick<ApiSettings, "include" | "exclude" | "patches">;

/** Document after patches and selection. */
export interface EditedDocument {
  readonly document: RawDocument;
  /**
   * Corrects the positions of findings. A finding about a value that a patch
   * changed gets its position in the patch file. A finding about a renamed
   * value gets the pointer into the original document.
   */
  readonly relocate: (findings: readonly Diagnostic[]) => Diagnostic[];
}

/** Returns a document without changes. */
export function unedited(document: RawDocument): EditedDocument {
  return { document, relocate: (findings) => [...findings] };
}

/**
 * Applies patches and then the selection to a document. Their modules are
 * loaded on demand, since most runs have neither.
 * @param sink sink of the document, with the findings about the original
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
  // A document with a rejected patch may be invalid.
  return sink.hasErrors ? unedited(document) : { document: edited, relocate };
}
