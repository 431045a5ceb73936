import path from "node:path";
import { Sink } from "../../diagnostics/sink.js";
import { loadBytes } from "../../load/load.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { replaceFile } from "../../platform/replace-file.js";
import { reportUnwritable } from "../../remote/document-fetcher.js";
import type { UpdatingApi } from "./updating-api.js";

/**
 * Applies the patches of an API to its latest document in memory. The API is kept
 * if one of them does not apply. Records operations that the document already
 * contains.
 */
export async function checkPatches(
  api: UpdatingApi,
  cwd: string,
): Promise<void> {
  const { jobApis, candidate } = api;
  const files = [...new Set(jobApis.flatMap(({ patches }) => patches))];
  if (candidate === undefined || files.length === 0) return;
  const { readPatches } = await import("../../patch/read-patches.js");
  const { applyPatches } = await import("../../patch/apply-patches.js");
  const { adoptedOperations } = await import("../../patch/prune-patch.js");
  const { bytes, url } = candidate.document;
  const { document } = loadBytes(bytes, url);
  // The document was checked when it was fetched.
  if (document === undefined) return;
  const sink = new Sink(url);
  const patches = await readPatches(files, cwd, sink, jobApis[0].patchedApi);
  applyPatches(document, patches, sink);
  const errors = sink.diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length > 0) api.kept = { reason: "patch-stale", findings: errors };
  else if (sink.diagnostics.some(({ code }) => code === "patch-upstream"))
    api.patches = {
      adopted: adoptedOperations(document, patches),
      before: new Map(),
      pruned: [],
    };
}

/** Removes adopted operations from patch files. Reports files that can't be written. */
export async function prunePatches(
  { patches }: UpdatingApi,
  cwd: string,
  sink: Sink,
): Promise<void> {
  const { withoutOperations } = await import("../../patch/prune-patch.js");
  for (const [patch, operations] of patches?.adopted ?? []) {
    if (operations.length === 0) continue;
    const { file } = patch;
    try {
      const text = readFileLimited(path.resolve(cwd, file)).toString();
      const edited = await withoutOperations(text, patch, operations);
      replaceFile(path.resolve(cwd, file), edited);
      patches!.before.set(file, text);
      for (const { kind, at } of operations)
        patches!.pruned.push(`${file}: ${kind} ${at}`);
    } catch (error) {
      reportUnwritable(error, file, sink);
    }
  }
}

/** Writes the previous contents of pruned patch files. */
export function restorePatches(
  { patches }: UpdatingApi,
  cwd: string,
  sink: Sink,
): void {
  for (const [file, text] of patches?.before ?? [])
    try {
      replaceFile(path.resolve(cwd, file), text);
    } catch (error) {
      reportUnwritable(error, file, sink);
    }
}
