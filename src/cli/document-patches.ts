import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { EditDocument } from "../diff/compare.js";
import { applyPatches } from "../patch/apply-patches.js";
import { reportAt, type PatchFile } from "../patch/patch-file.js";
import { readPatches } from "../patch/read-patches.js";

/** Patches for documents that are compared. */
export interface DocumentPatches {
  readonly edit: EditDocument;
  /** Returns the errors of patches whose API no edited document has. */
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
  // Positions are those of the patch, which both documents share.
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
    reportAt(sink, "patch-unused", `no document is ${patch.api}`, patch);
  return sink;
}
