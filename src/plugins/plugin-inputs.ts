import { statSync, type Stats } from "node:fs";
import path from "node:path";
import type { ConfigResult } from "../config/load-config.js";
import { listSources } from "../load/sources.js";

/** Absolute paths of the files and folders that the generator reads. */
export interface PluginInputs {
  readonly files: readonly string[];
  /** Folders in which new files are treated as documents or templates. */
  readonly folders: readonly string[];
}

/** Lists the inputs of a config, including the config file. */
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
    for (const name of [...specs, ...job.apis.flatMap((api) => api.patches)])
      addInput(path.resolve(cwd, name), files, folders);
    const { sources } = await listSources(specs, cwd);
    for (const source of sources)
      if (source.path !== undefined) files.add(source.path);
  }
  return { files: [...files], folders: [...folders] };
}

/**
 * Adds a path to the inputs. For a glob, adds the folder that contains all
 * matching files.
 */
function addInput(
  name: string,
  files: Set<string>,
  folders: Set<string>,
): void {
  if (isFolder(name)) folders.add(name);
  else if (!/[*?[\]{}]/.test(name) || statOf(name) !== undefined)
    files.add(name);
  else folders.add(path.dirname(name.replace(/[*?[\]{}].*$/s, "x")));
}

/** Returns true if a path is an input or is inside an input folder. */
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

/**
 * Returns a string with the sizes and modification times of the input files.
 */
export function signatureOf({ files }: PluginInputs): string {
  const states = files.map((file) => {
    const stats = statOf(file);
    return [file, stats?.size, stats?.mtimeMs];
  });
  return JSON.stringify(states);
}

function isFolder(file: string): boolean {
  return statOf(file)?.isDirectory() === true;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}
