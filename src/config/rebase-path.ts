import { existsSync } from "node:fs";
import path from "node:path";
import { toPosix } from "../platform/paths.js";

/**
 * Converts a path that is relative to the folder of the config to a path
 * relative to the working directory, so that paths in messages match those that
 * users type. Absolute paths are unchanged.
 */
export function rebasePath(name: string, folder: string, cwd: string): string {
  if (folder === cwd || path.isAbsolute(name)) return name;
  return toPosix(path.relative(cwd, path.resolve(folder, name))) || ".";
}

/** Converts a document path or glob in the same way as {@link rebasePath}. */
export function rebaseSource(
  source: string,
  folder: string,
  cwd: string,
): string {
  if (folder === cwd || path.isAbsolute(source)) return source;
  if (existsSync(path.resolve(folder, source)))
    return rebasePath(source, folder, cwd);
  const base = toPosix(path.relative(cwd, folder));
  // Special characters in the folder name are escaped, because they do not
  // belong to the glob.
  const prefix = /[*?[\]{}!]/.test(source)
    ? base.replace(/[*?[\]{}!()\\]/g, "\\$&")
    : base;
  return path.posix.join(prefix, source);
}
