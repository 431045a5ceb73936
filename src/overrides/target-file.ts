import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";

/**
 * File to which a command writes its output, at a path that the user passed.
 */
interface TargetFile {
  readonly file: string;
  /** True if a symbolic link in the path was followed. */
  readonly isLinked: boolean;
}

/**
 * Resolves the path of an output file. Follows symbolic links within the
 * working directory or within the folder of the given path. Throws if a link leads
 * to another folder, because an untrusted repository can contain such links.
 * Throws if the path exists but is not a regular file.
 */
export function resolveTargetFile(requested: string, cwd: string): TargetFile {
  const file = path.resolve(cwd, requested);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const real = resolveLinks(file, stats?.isSymbolicLink() === true, requested);
  const base = realpathSync(isWithin(cwd, file) ? cwd : path.dirname(file));
  const isLinked =
    path.relative(isWithin(cwd, file) ? cwd : path.dirname(file), file) !==
    path.relative(base, real);
  if (isLinked && !isWithin(base, real))
    throw new Error(
      `${requested} is a symbolic link to ${real}; pass the path of the file itself`,
    );
  const target = lstatSync(real, { throwIfNoEntry: false });
  if (target !== undefined && !target.isFile())
    throw new Error(`${requested} must be a regular file`);
  return { file: real, isLinked };
}

/**
 * Resolves symbolic links in a path. If the file does not exist yet, the links
 * in the path of its folder are resolved.
 */
function resolveLinks(
  file: string,
  isLink: boolean,
  requested: string,
): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isLink && code === "ENOENT")
      throw new Error(
        `${requested} is a symbolic link to a file that does not exist`,
        {
          cause: error,
        },
      );
    if (code !== "ENOENT") throw error;
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  }
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}
