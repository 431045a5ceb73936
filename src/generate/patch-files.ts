import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { PatchFile } from "../patch/patch-file.js";
import { apiFolder } from "../targets/shared/api-folder.js";

/** Content of patch files, and findings about them. */
export interface LoadedPatches {
  /** Absent without patch files, so that settings without patches are equal. */
  readonly patches?: readonly PatchFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads patch files for the settings of documents. The reader is loaded on
 * demand.
 * @param api name and version that all patches must have, such as `drive:v3`
 */
export async function loadPatches(
  files: readonly string[],
  cwd: string,
  api?: string,
): Promise<LoadedPatches> {
  if (files.length === 0) return { diagnostics: [] };
  const { readPatches } = await import("../patch/read-patches.js");
  const sink = new Sink();
  const patches = await readPatches(files, cwd, sink, api);
  return { patches, diagnostics: sink.diagnostics };
}

/**
 * Reports patches whose document the run did not generate.
 * @param folders folders of the APIs in the output of the run
 */
export function unusedPatches(
  patches: readonly PatchFile[],
  folders: ReadonlySet<string>,
): Diagnostic[] {
  return patches.flatMap(({ file, api, line, column }) => {
    const [name = "", version = ""] = api.split(":");
    if (folders.has(apiFolder({ name, version }))) return [];
    const sink = new Sink(file);
    sink.report("patch-unused", `no document of the run is ${api}`);
    return sink.diagnostics.map((finding) => ({ ...finding, line, column }));
  });
}
