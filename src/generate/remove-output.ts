import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { isRuntime } from "../write/manifest.js";
import { OutputSession } from "../write/output-session.js";
import { reportFailure } from "./failures.js";

/**
 * Deletes the generated files of a document, and the runtimes if no other API is
 * left. Files that were edited are not deleted. Returns the folders of the
 * document in the output folder.
 * @param document path of the document, relative to the working directory
 */
export function removeOutput(
  document: string,
  { out, cwd }: { readonly out: string; readonly cwd: string },
  sink: Sink,
): readonly string[] {
  const session = new OutputSession({
    out: path.resolve(cwd, out),
    cwd,
    mode: "write",
    force: false,
  });
  sink.diagnostics.push(...session.diagnostics);
  try {
    const folders = session.dropDocument(document, sink);
    const isEmpty = [...session.groups.keys()].every(isRuntime);
    if (isEmpty)
      for (const folder of Object.keys(session.before).filter(isRuntime))
        session.dropRuntime(folder, sink);
    if (folders.length > 0) session.write(sink);
    return folders;
  } catch (error) {
    reportFailure(error, sink);
    return [];
  }
}
