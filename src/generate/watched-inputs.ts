import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { listSources } from "../load/sources.js";
import type { WatchedInputs } from "../watch/snapshot.js";
import type { Settings } from "./settings.js";

/**
 * Maximum number of subfolders of a folder, or of the base folder of a glob,
 * that are watched for new files. Existing documents are watched in all
 * folders.
 */
const MAX_FOLDERS = 2000;

/**
 * Returns the files that a run with these settings reads, and the folders in
 * which new documents can appear.
 * @param others other files that the run reads, such as patches
 */
export async function watchedInputs(
  {
    specs,
    cwd,
    out,
    templates,
  }: Pick<Settings, "specs" | "cwd" | "out" | "templates">,
  others: readonly string[] = [],
): Promise<WatchedInputs> {
  const names = specs.map(({ spec }) => spec);
  const { sources } = await listSources(names, cwd);
  const files = new Set(others.map((file) => path.resolve(cwd, file)));
  for (const source of sources)
    if (source.path !== undefined) files.add(source.path);
  const folders: string[] = [];
  const excluded = path.resolve(cwd, out);
  for (const name of names) {
    const { base, isFolder } = baseOf(name, cwd);
    if (isFolder) addFolders(base, excluded, folders);
    else files.add(base);
  }
  if (templates !== undefined)
    addTemplates(path.resolve(cwd, templates), files, folders);
  return { files: [...files], folders };
}

/** Returns the path of a file or folder, or the fixed part of a glob. */
function baseOf(
  spec: string,
  cwd: string,
): { readonly base: string; readonly isFolder: boolean } {
  const exact = path.resolve(cwd, spec);
  const kind = kindOf(exact);
  const glob = spec.search(/[*?[\]{}!]/);
  if (kind !== "missing" || glob === -1)
    return { base: exact, isFolder: kind !== "file" };
  const fixed = spec.slice(0, glob);
  const end = Math.max(fixed.lastIndexOf("/"), fixed.lastIndexOf("\\"));
  const folder = end === -1 ? "." : fixed.slice(0, end + 1);
  return { base: path.resolve(cwd, folder), isFolder: true };
}

function kindOf(name: string): "file" | "folder" | "missing" {
  try {
    const stats = statSync(name, { throwIfNoEntry: false });
    if (stats === undefined) return "missing";
    return stats.isDirectory() ? "folder" : "file";
  } catch {
    return "missing";
  }
}

/**
 * Adds a folder and its subfolders to a list, except subfolders that the search
 * for documents skips.
 */
function addFolders(root: string, excluded: string, folders: string[]): void {
  if (root === excluded || folders.length >= MAX_FOLDERS) return;
  folders.push(root);
  for (const entry of entriesOf(root)) {
    const isSkipped =
      entry.name.startsWith(".") || entry.name === "node_modules";
    if (entry.isDirectory() && !isSkipped)
      addFolders(path.join(root, entry.name), excluded, folders);
  }
}

function addTemplates(
  folder: string,
  files: Set<string>,
  folders: string[],
): void {
  folders.push(folder);
  for (const entry of entriesOf(folder)) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) addTemplates(name, files, folders);
    else files.add(name);
  }
}

/** Returns the entries of a folder; an empty list if the folder is missing. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
