import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";

/** The file that is written when a path is given. */
export interface Target {
  readonly file: string;
  /** Set if links lead from the path to the file. */
  readonly isLinked: boolean;
}

/**
 * Finds the file that a path leads to. Links are followed within the working folder,
 * or within the folder of the path; a link that leads elsewhere may come with a
 * repository. Throws an error with a sentence for links that lead elsewhere, and
 * for what is not a regular file.
 */
export function targetOf(given: string, cwd: string): Target {
  const file = path.resolve(cwd, given);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const real = realOf(file, stats?.isSymbolicLink() === true, given);
  const base = realpathSync(isWithin(cwd, file) ? cwd : path.dirname(file));
  const isLinked =
    path.relative(isWithin(cwd, file) ? cwd : path.dirname(file), file) !==
    path.relative(base, real);
  if (isLinked && !isWithin(base, real))
    throw new Error(`${given} is a link to ${real}; give the path of the file`);
  const target = lstatSync(real, { throwIfNoEntry: false });
  if (target !== undefined && !target.isFile())
    throw new Error(`${given} must be a regular file`);
  return { file: real, isLinked };
}

/** The path without links; of a new file, the path of its folder counts. */
function realOf(file: string, isLink: boolean, given: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isLink && code === "ENOENT")
      throw new Error(`${given} is a link to a file that does not exist`, {
        cause: error,
      });
    if (code !== "ENOENT") throw error;
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  }
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}
