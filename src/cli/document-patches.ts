import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { EditDocument } from "../diff/compare.js";
import { applyPatches } from "../patch/apply-patches.js";
import { reportAt, type PatchFile } from "../patch/patch-file.js";
import { readPatches } from "../patch/read-patches.js";

/** Patches to apply to documents before the documents are compared. */
export interface DocumentPatches {
  readonly edit: EditDocument;
  /**
   * Returns an error for each patch that belongs to none of the compared
   * documents.
   */
  unused(): readonly Diagnostic[];
}

/** Reads patch files. Reports invalid files. */
export async function readDocumentPatches(
  files: readonly string[],
  cwd: string,
  sink: Sink,
): Promise<DocumentPatches> {
  const patches = await readPatches(files, cwd, sink);
  const edited = new Set<string>();
  return {
    edit: (document, name, documentSink) => {
      edited.add(`${document.name}:${document.version}`);
      return applied(document, name, patches, documentSink);
    },
    unused: () =>
      unusedIn(patches.filter(({ api }) => !edited.has(api))).diagnostics,
  };
}

function applied(
  document: Parameters<EditDocument>[0],
  name: string,
  patches: readonly PatchFile[],
  sink: Sink,
): ReturnType<EditDocument> {
  const found = new Sink();
  const patched = applyPatches(document, patches, found);
  // The findings have positions in the patch file. The file name of the
  // document is added to the messages, because the same patch applies to the
  // old and the new document.
  for (const finding of found.diagnostics)
    sink.diagnostics.push({
      ...finding,
      message: `${name}: ${finding.message}`,
    });
  return found.hasErrors ? undefined : patched.document;
}

function unusedIn(patches: readonly PatchFile[]): Sink {
  const sink = new Sink();
  for (const patch of patches)
    reportAt(
      sink,
      "patch-unused",
      `no document describes the API ${patch.api}`,
      patch,
    );
  return sink;
}
