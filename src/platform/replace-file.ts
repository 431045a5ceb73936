import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { processState } from "./process.js";

/** Options for the replacement of a file. */
export interface ReplaceOptions {
  /**
   * Mode bits of the new file. Default: those of the old file; for a new file, the
   * default of the system.
   */
  readonly mode?: number;
  /**
   * False to replace a symbolic link by a file. By default, the target of the link
   * is replaced.
   */
  readonly followsLinks?: boolean;
  /**
   * False for files that can be created again: the content is not synced to disk,
   * so a crash of the system can lose it.
   */
  readonly isDurable?: boolean;
}

/** Options for files of the user's cache. */
export const CACHE_FILE: ReplaceOptions = {
  mode: 0o600,
  followsLinks: false,
  isDurable: false,
};

/**
 * Replaces a file atomically: writes a temporary file in the same folder and
 * renames it, so that other processes never read an incomplete file. Throws file
 * system errors; in this case, the old file is unchanged.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  options: ReplaceOptions = {},
): void {
  const { followsLinks = true, isDurable = true } = options;
  const target = followsLinks ? realFile(file) : file;
  const old = lstatSync(target, { throwIfNoEntry: false });
  const oldMode = old?.isFile() === true ? old.mode & 0o7777 : undefined;
  const mode = options.mode ?? oldMode;
  const temporary = temporaryName(target);
  try {
    const descriptor = openSync(temporary, "wx", mode);
    try {
      writeFileSync(descriptor, content);
      if (mode !== undefined) fchmodSync(descriptor, mode);
      if (isDurable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isDurable) syncFolder(path.dirname(target));
}

/**
 * Returns an unpredictable name in the folder of a file. The process id alone is not
 * unique: in containers, the process that is started after a killed one often has
 * the same id.
 */
export function temporaryName(file: string): string {
  return `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
}

/** Pattern for the names that `temporaryName` returns. */
const TEMPORARY = /^(.+)\.(\d+)\.[0-9a-f]{8}\.tmp$/;

/**
 * Returns the name of the file that a temporary file was to replace; undefined if
 * the name is not that of a temporary file.
 */
export function temporaryOf(name: string): string | undefined {
  return TEMPORARY.exec(name)?.[1];
}

/**
 * Removes temporary files and folders that killed processes left next to a file.
 */
export function clearLeftovers(file: string): void {
  const target = realFile(file);
  const folder = path.dirname(target);
  const name = path.basename(target);
  for (const entry of readdirSync(folder)) {
    const [, original, pid] = TEMPORARY.exec(entry) ?? [];
    if (original !== name) continue;
    if (processState({ pid: Number(pid), started: "" }) === "ended")
      rmSync(path.join(folder, entry), { recursive: true, force: true });
  }
}

/**
 * Creates a backup of a file, as a hard link or copy. Its name is the first of
 * `<file>.bak`, `<file>.bak1`, … that is not in use. Returns this name.
 */
export function backUp(file: string): string {
  const target = realFile(file);
  for (let number = 0; ; number++) {
    const name = `${target}.bak${number === 0 ? "" : number}`;
    try {
      linkOrCopy(target, name);
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/**
 * Resolves symbolic links, so that the target of a link is replaced and not the
 * link.
 */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * Syncs a folder to disk, so that a rename survives a system crash. Some
 * systems do not support this.
 */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // This error is ignored, because the content of the file is already synced.
  }
}

/**
 * Creates a hard link to a file, or a copy on file systems without hard links.
 * Throws file system errors, such as EEXIST if the target exists.
 */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") throw error;
    copyFileSync(source, target, constants.COPYFILE_EXCL);
  }
}
