import { statSync } from "node:fs";
import path from "node:path";
import type { JobApi } from "../config/job.js";
import type { ConfigResult } from "../config/load-config.js";
import { listSources } from "../load/sources.js";

/** Absolute paths that a generation reads. */
export interface PluginInputs {
  readonly files: readonly string[];
  /** Folders whose new files are documents or templates. */
  readonly folders: readonly string[];
}

/** Lists the inputs of a config, including its own file. */
export async function listInputs(
  { file, resolved }: ConfigResult,
  cwd: string,
): Promise<PluginInputs> {
  const files = new Set<string>(file === undefined ? [] : [file]);
  const folders = new Set<string>();
  for (const job of resolved?.jobs ?? []) {
    const { templates } = job.options;
    if (templates !== undefined) folders.add(path.resolve(cwd, templates));
    const specs = job.apis.map((api) => api.file);
    for (const name of [...specs, ...job.apis.flatMap(patchesOf)])
      (isFolder(path.resolve(cwd, name)) ? folders : files).add(
        path.resolve(cwd, name),
      );
    const { sources } = await listSources(specs, cwd);
    for (const source of sources)
      if (source.path !== undefined) files.add(source.path);
  }
  return {
    files: [...files].filter((name) => !/[*?]/.test(name)),
    folders: [...folders],
  };
}

/** Returns true if a path is an input, or is in a folder of inputs. */
export function isInput(
  { files, folders }: PluginInputs,
  name: string,
): boolean {
  const file = path.resolve(name);
  return (
    files.includes(file) ||
    folders.some(
      (folder) => file === folder || file.startsWith(folder + path.sep),
    )
  );
}

/** Returns the sizes and times of the input files. */
export function signatureOf({ files }: PluginInputs): string {
  const states = files.map((file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return [file, stats?.size, stats?.mtimeMs];
  });
  return JSON.stringify(states);
}

/** Returns the patch files of an API: paths, or patches that were read. */
function patchesOf({ settings }: JobApi): string[] {
  const { patches } = settings as { readonly patches?: unknown };
  const list: readonly unknown[] = Array.isArray(patches) ? patches : [];
  return list.flatMap((patch) => {
    const name =
      typeof patch === "object" && patch !== null && "file" in patch
        ? patch.file
        : patch;
    return typeof name === "string" ? [name] : [];
  });
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
