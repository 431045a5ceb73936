import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { readBytes } from "../load/load.js";
import { parseBytes } from "../load/parse.js";
import { listSources, type Source } from "../load/sources.js";
import type { PatchFile } from "../patch/patch-file.js";
import type { SpecSettings } from "./api-settings.js";

/** Parsed patch files, and findings about them. */
export interface LoadedPatches {
  /**
   * Parsed patches. Absent instead of empty if there are no patches, because
   * settings with an empty list would differ from settings without a list.
   */
  readonly patches?: readonly PatchFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads patch files for the settings of documents. The module that parses
 * patches is imported on demand.
 * @param api name and version that all patches must declare, such as `drive:v3`
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
 * Reports patches for APIs that are not in the run. Called before the run, so
 * that nothing is generated if a patch is unused. Reports nothing if a document
 * can't be read before the run, because the document could describe any API.
 */
export async function unusedPatches(
  specs: readonly SpecSettings[],
  cwd: string,
): Promise<Diagnostic[]> {
  const groups = new Map<readonly PatchFile[], string[]>();
  for (const { spec, settings } of specs) {
    const { patches = [] } = settings;
    groups.set(patches, [...(groups.get(patches) ?? []), spec]);
  }
  const findings: Diagnostic[] = [];
  for (const [patches, list] of groups) {
    if (patches.length === 0) continue;
    const { sources } = await listSources(list, cwd);
    const ids = new Set(sources.map(idOf));
    if (ids.has(undefined)) continue;
    for (const { file, api, ...position } of patches)
      if (!ids.has(api)) findings.push(unused(api, file, position));
  }
  return findings;
}

function unused(
  api: string,
  file: string,
  { line, column }: Pick<PatchFile, "line" | "column">,
): Diagnostic {
  const sink = new Sink(file);
  sink.report(
    "patch-unused",
    `no document in this run describes the API ${api}`,
  );
  return { ...sink.diagnostics[0]!, line, column };
}

/**
 * Returns the name and version of a document; undefined if the document is not
 * valid JSON.
 */
function idOf(source: Source): string | undefined {
  // Standard input can be read only once, so it is not read here.
  if (source.path === undefined) return undefined;
  const sink = new Sink();
  const bytes = readBytes(source, sink);
  const value = bytes && parseBytes(bytes, source.name, sink)?.value;
  if (!isObject(value)) return undefined;
  return `${String(value["name"])}:${String(value["version"])}`;
}
