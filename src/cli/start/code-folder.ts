import path from "node:path";
import { entryExists, isWithin, realFolder } from "../../platform/paths.js";
import { cacheFolder, FOLDER_NAME } from "../../platform/user-folder.js";

/**
 * Returns the folder for compiled code. Returns undefined if there is no cache
 * folder, or if compile caches of Node.js are disabled. Also returns undefined if
 * the cache folder is in the working directory or in a Git repository, because
 * other people may have written files there.
 */
export function codeFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return undefined;
  try {
    const folder = cacheFolder(env);
    return folder === undefined || isInProject(folder)
      ? undefined
      : path.join(folder, FOLDER_NAME, "code");
  } catch {
    // The working directory was deleted, or a folder can't be read.
    return undefined;
  }
}

function isInProject(folder: string): boolean {
  const real = realFolder(folder);
  return isWithin(realFolder(process.cwd()), real) || isInRepository(real);
}

function isInRepository(folder: string): boolean {
  const parent = path.dirname(folder);
  return (
    entryExists(path.join(folder, ".git")) ||
    (parent !== folder && isInRepository(parent))
  );
}
