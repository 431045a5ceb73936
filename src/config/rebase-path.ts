import { existsSync } from "node:fs";
import path from "node:path";
import { toPosix } from "../platform/paths.js";

/**
 * Converts a path that is relative to the folder of the config to a path
 * relative to the working folder, so that messages name files as users type
 * them. Absolute paths are unchanged.
 */
export function rebasePath(name: string, folder: string, cwd: string): string {
  if (folder === cwd || path.isAbsolute(name)) return name;
  return toPosix(path.relative(cwd, path.resolve(folder, name))) || ".";
}

/** Converts a path or glob of documents as {@link rebasePath} does. */
export function rebaseSource(
  source: string,
  folder: string,
  cwd: string,
): string {
  if (folder === cwd || path.isAbsolute(source)) return source;
  if (existsSync(path.resolve(folder, source)))
    return rebasePath(source, folder, cwd);
  const base = toPosix(path.relative(cwd, folder));
  // Special characters in the name of the folder are not part of the glob.
  const prefix = /[*?[\]{}!]/.test(source)
    ? base.replace(/[*?[\]{}!()\\]/g, "\\$&")
    : base;
  return path.posix.join(prefix, source);
}
