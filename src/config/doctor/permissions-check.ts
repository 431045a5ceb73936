import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { cacheFolder } from "../../platform/user-folder.js";
import { error, ok, warning, type Check } from "./check.js";

/**
 * Checks that files can be created in the output folders and the cache folder.
 */
export const permissionsCheck: Check = {
  name: "permissions",
  run: ({ cwd, env, config: { resolved } }) => {
    const cache = cacheFolder(env);
    const closed = (resolved?.jobs ?? [])
      .map(({ out }) => out)
      .filter((out) => !isWritable(path.resolve(cwd, out)));
    return [
      ...(resolved !== undefined && closed.length === 0
        ? [ok("the output folders are writable")]
        : []),
      ...closed.map((out) =>
        error(`${out} is not writable`, `Correct the permissions on ${out}.`),
      ),
      cache !== undefined && isWritable(cache)
        ? ok("the cache folder is writable")
        : warning(
            "the cache folder is not writable",
            "Set XDG_CACHE_HOME to a writable folder.",
          ),
    ];
  },
};

/**
 * Tests whether a folder is writable. If the folder does not exist, tests its
 * nearest existing parent.
 */
function isWritable(folder: string): boolean {
  const parent = path.dirname(folder);
  if (!existsSync(folder) && parent !== folder) return isWritable(parent);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
