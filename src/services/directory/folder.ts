import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  realpathSync,
  statSync,
  type Dirent,
} from "node:fs";
import path from "node:path";

/**
 * Maximum size of a document in bytes: four times the largest known document.
 */
export const MAX_FILE = 16 * 1024 * 1024;

/** Maximum nesting depth of folders. */
const MAX_DEPTH = 8;

/**
 * Maximum number of documents. Further documents are ignored, because the list
 * of APIs is not paginated.
 */
const MAX_FILES = 10_000;

/** File that may contain a document. */
export interface DocumentFile {
  /** Path relative to the folder, with forward slashes. */
  readonly name: string;
  readonly path: string;
  /**
   * Signature that consists of inode number, size, mtime and ctime. It changes
   * whenever the file changes.
   */
  readonly signature: string;
  readonly size: number;
}

/** Files and subfolders of a folder. */
export interface FolderContent {
  readonly files: readonly DocumentFile[];
  /** Paths of the folder and its subfolders, for watching. */
  readonly folders: readonly string[];
  /** Messages for files and folders that could not be read. */
  readonly problems: readonly string[];
  /** False if the folder does not exist. The folder can be created later. */
  readonly exists: boolean;
}

/**
 * Lists the .json files below a folder, sorted by name. Links to targets
 * outside of the folder are not followed.
 */
export function listFolder(folder: string): FolderContent {
  const files: DocumentFile[] = [];
  const folders: string[] = [];
  const problems: string[] = [];
  const visit = (name: string, depth: number): void => {
    const file = path.join(folder, name);
    folders.push(file);
    for (const entry of entriesOf(file, problems)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const child = name === "" ? entry.name : `${name}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) visit(child, depth + 1);
      } else if (entry.name.endsWith(".json")) {
        const file = fileAt(folder, child, entry, problems);
        if (file !== undefined && files.length < MAX_FILES) files.push(file);
      }
    }
  };
  visit("", 0);
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return { files, folders, problems, exists: isThere === true };
}

function entriesOf(file: string, problems: string[]): Dirent[] {
  try {
    return readdirSync(file, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  } catch (error) {
    problems.push((error as Error).message);
    return [];
  }
}

function fileAt(
  folder: string,
  name: string,
  entry: Dirent,
  problems: string[],
): DocumentFile | undefined {
  const file = path.join(folder, name);
  try {
    if (entry.isSymbolicLink() && !isWithin(folder, file)) {
      problems.push(`${name} is a link to a target outside the folder`);
      return undefined;
    }
    const stats = statSync(file);
    if (!stats.isFile()) return undefined;
    const { ino, size, mtimeMs, ctimeMs } = stats;
    const signature = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
    return { name, path: file, signature, size };
  } catch (error) {
    // The file was deleted after it was listed, or it is a broken link.
    problems.push((error as Error).message);
    return undefined;
  }
}

function isWithin(folder: string, file: string): boolean {
  return realpathSync(file).startsWith(realpathSync(folder) + path.sep);
}

/**
 * Reads a file. Returns undefined if it is larger than `MAX_FILE`.
 *
 * @param buffer buffer for the content; it can be reused for further files
 * @throws errors of the file system
 */
export function readFile(file: string, buffer?: Buffer): Buffer | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    if (size > MAX_FILE) return undefined;
    const target =
      buffer !== undefined && buffer.length >= size
        ? buffer.subarray(0, size)
        : Buffer.allocUnsafeSlow(size);
    let at = 0;
    while (at < size) {
      const count = readSync(descriptor, target, at, size - at, null);
      if (count === 0) break;
      at += count;
    }
    return target.subarray(0, at);
  } finally {
    closeSync(descriptor);
  }
}
