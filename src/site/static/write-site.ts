import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isObject } from "../../diagnostics/json.js";
import { readPlainFile } from "../../platform/plain-file.js";
import type { SiteFile } from "./api-files.js";

/**
 * Name of a file that lists the files of a site. A later run replaces the
 * folder only if it contains no other files.
 */
const MARKER = ".gen-docs.json";

/**
 * Suffix that is added to the name of the previous site's folder while the site
 * is being replaced.
 */
const BACKUP = ".gen-previous";

/** Error for a folder that a site must not replace. */
export class SiteFolderError extends Error {}

/** Number of files and bytes in a written site. */
export interface WrittenSite {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes a site to a folder. The folder must be missing or empty, or contain
 * only the files of an earlier site. It is replaced only after all files have
 * been written; if the process is killed, either the old site or the new one is
 * complete.
 *
 * @throws SiteFolderError if the folder contains other files, or the path is a
 *   file or link
 */
export function writeSite(out: string, files: Iterable<SiteFile>): WrittenSite {
  const backup = out + BACKUP;
  // A run that was killed while it replaced the site can leave the previous
  // site in the backup folder.
  if (kindOf(out) === undefined && kindOf(backup) === "folder")
    renameSync(backup, out);
  refuseOthers(out);
  mkdirSync(path.dirname(out), { recursive: true });
  const staging = mkdtempSync(`${out}.gen-new-`);
  try {
    const written = writeFiles(staging, files);
    rmSync(backup, { recursive: true, force: true });
    if (kindOf(out) !== undefined) renameSync(out, backup);
    renameSync(staging, out);
    rmSync(backup, { recursive: true, force: true });
    return written;
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (kindOf(out) === undefined && kindOf(backup) === "folder")
      renameSync(backup, out);
    throw error;
  }
}

function writeFiles(root: string, files: Iterable<SiteFile>): WrittenSite {
  const paths: string[] = [];
  const folders = new Set<string>();
  let bytes = 0;
  for (const { path: name, text } of files) {
    const file = path.join(root, name);
    const folder = path.dirname(file);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    const content = Buffer.from(text);
    writeFileSync(file, content, { flag: "wx" });
    bytes += content.length;
    paths.push(name);
  }
  const marker = JSON.stringify({ files: paths.sort() }, undefined, 2);
  writeFileSync(path.join(root, MARKER), `${marker}\n`);
  return { files: paths.length, bytes };
}

/** Throws if the folder contains files that do not belong to a site. */
function refuseOthers(out: string): void {
  const kind = kindOf(out);
  if (kind === undefined) return;
  if (kind === "other")
    throw new SiteFolderError(`${out} must be a folder, not a link or file`);
  const own = new Set([...readMarker(out), MARKER]);
  const other = filesBelow(out, "").find((file) => !own.has(file));
  if (other !== undefined)
    throw new SiteFolderError(
      `${out} contains ${other}, which is not part of a generated site`,
    );
}

function kindOf(file: string): "folder" | "other" | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "other";
}

function readMarker(out: string): string[] {
  try {
    const text = readPlainFile(path.join(out, MARKER))?.toString() ?? "";
    const value = JSON.parse(text) as unknown;
    const files = isObject(value) ? value["files"] : undefined;
    return Array.isArray(files)
      ? files.filter((name): name is string => typeof name === "string")
      : [];
  } catch {
    return [];
  }
}

/** Returns the paths of all files below a folder, with forward slashes. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(
    (entry) => {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, name) : [name];
    },
  );
}
