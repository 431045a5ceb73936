import { lstatSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { makeFolder } from "./folders.js";
import { isWithin, realFolder } from "./paths.js";

/** Name of the generator's folder in the user's cache folder. */
export const FOLDER_NAME = "discovery-codegen";

/**
 * Returns the folder of this user's key and cache. The files in the folder are
 * trusted. The result is therefore undefined if other users can write to the
 * folder, or if it is inside the output folder.
 * @param out output folder, which may come from a cloned repository
 * @param create true to create a missing folder
 */
export function userFolder(out: string, create: boolean): string | undefined {
  try {
    const base = cacheFolder(process.env);
    if (base === undefined) return undefined;
    const folder = path.join(base, FOLDER_NAME);
    if (isWithin(realFolder(out), realFolder(folder))) return undefined;
    if (create) makeFolder(folder, 0o700);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    return stats?.isDirectory() === true && isOwn(stats, 0o022)
      ? folder
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Tests whether a file belongs to the current user and has none of the
 * permission bits in a mask. Always true on systems without user ids.
 */
export function isOwn({ uid, mode }: Stats, mask: number): boolean {
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & mask) === 0);
}

/**
 * Returns the folder of this user's caches: XDG_CACHE_HOME, otherwise the
 * standard folder of the system. A relative path in XDG_CACHE_HOME is ignored,
 * as its specification requires. Returns undefined if the user has no home
 * folder.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CACHE_HOME = "", LOCALAPPDATA = "", HOME = "" } = env;
  if (path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === "win32" && path.isAbsolute(LOCALAPPDATA))
    return LOCALAPPDATA;
  const home = path.isAbsolute(HOME) ? HOME : homedir();
  if (!path.isAbsolute(home)) return undefined;
  return process.platform === "darwin"
    ? path.join(home, "Library/Caches")
    : path.join(home, ".cache");
}
