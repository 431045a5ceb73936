import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import path from "node:path";
import type { FileSystemHost } from "ts-morph";
import { isWithin } from "../../platform/paths.js";

/** Generated files that replace those of an output folder. */
export interface Overlay {
  /** Absolute path of the folder that the files replace. */
  readonly folder: string;
  /** Returns the files, keyed by path relative to the folder. */
  files(): ReadonlyMap<string, string>;
}

/**
 * Returns a file system in which generated files replace folders of the disk. It
 * can't write.
 */
export function overlayFileSystem(
  overlays: readonly Overlay[],
  cwd: string,
): FileSystemHost {
  /** Returns the text of a file: null if a replaced folder does not contain it. */
  const replaced = (file: string): string | null | undefined => {
    const overlay = overlays.find(({ folder }) => isWithin(folder, file));
    if (overlay === undefined) return undefined;
    const name = path.relative(overlay.folder, file).replaceAll("\\", "/");
    return overlay.files().get(name) ?? null;
  };
  const hasFolder = (folder: string): boolean =>
    overlays.some((overlay) => {
      if (isWithin(folder, overlay.folder)) return true;
      if (!isWithin(overlay.folder, folder)) return false;
      const below = `${path.relative(overlay.folder, folder).replaceAll("\\", "/")}/`;
      return [...overlay.files().keys()].some((name) => name.startsWith(below));
    });
  const isReplaced = (folder: string): boolean =>
    overlays.some((overlay) => isWithin(overlay.folder, folder));
  const readOnly = (): never => {
    throw new Error("the file system of --uses can't write");
  };
  const fileExists = (file: string): boolean => {
    const text = replaced(file);
    if (text !== undefined) return text !== null;
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  };
  const folderExists = (folder: string): boolean =>
    hasFolder(folder) ||
    (!isReplaced(folder) &&
      statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
  const read = (file: string): string => {
    const text = replaced(file);
    if (typeof text === "string") return text;
    if (text === null)
      throw Object.assign(new Error(`${file} does not exist`), {
        code: "ENOENT",
      });
    return readFileSync(file, "utf8");
  };
  return {
    isCaseSensitive: () => true,
    fileExistsSync: fileExists,
    fileExists: async (file) => fileExists(file),
    directoryExistsSync: folderExists,
    directoryExists: async (folder) => folderExists(folder),
    readFileSync: read,
    readFile: async (file) => read(file),
    readDirSync: (folder) =>
      isReplaced(folder) || !existsSync(folder)
        ? []
        : readdirSync(folder, { withFileTypes: true }).map((entry) => ({
            name: entry.name,
            isFile: entry.isFile(),
            isDirectory: entry.isDirectory(),
            isSymlink: entry.isSymbolicLink(),
          })),
    realpathSync: (name) =>
      !isReplaced(name) && existsSync(name) ? realpathSync(name) : name,
    getCurrentDirectory: () => cwd,
    globSync: () => [],
    glob: async () => [],
    delete: readOnly,
    deleteSync: readOnly,
    writeFile: readOnly,
    writeFileSync: readOnly,
    mkdir: readOnly,
    mkdirSync: readOnly,
    move: readOnly,
    moveSync: readOnly,
    copy: readOnly,
    copySync: readOnly,
  };
}
