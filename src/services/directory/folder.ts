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

/** Largest document that is served, in bytes: four times the largest real one. */
export const MAX_FILE = 16 * 1024 * 1024;

/** Folders below the folder are looked into so deep. */
const MAX_DEPTH = 8;

/** Documents beyond these are left out: the list is sent as a whole. */
const MAX_FILES = 10_000;

/** A file that may hold a document. */
export interface FoundFile {
  /** Path from the folder, with forward slashes. */
  readonly name: string;
  readonly path: string;
  /** Changes when the file does. */
  readonly signature: string;
  readonly size: number;
}

/** What lies in a folder. */
export interface FolderContent {
  readonly files: readonly FoundFile[];
  /** The folder and those below it, to be watched. */
  readonly folders: readonly string[];
  /** Places that could not be looked at, and why. */
  readonly faults: readonly string[];
  /** Whether the folder itself could be read; one that is gone for a moment is not empty. */
  readonly isThere: boolean;
}

/** Lists the .json files below a folder by name. Links that lead out of it are not followed. */
export function listFolder(folder: string): FolderContent {
  const files: FoundFile[] = [];
  const folders: string[] = [];
  const faults: string[] = [];
  const visit = (name: string, depth: number): void => {
    const place = path.join(folder, name);
    folders.push(place);
    for (const entry of entriesOf(place, faults)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const child = name === "" ? entry.name : `${name}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) visit(child, depth + 1);
      } else if (entry.name.endsWith(".json")) {
        const file = fileAt(folder, child, entry, faults);
        if (file !== undefined && files.length < MAX_FILES) files.push(file);
      }
    }
  };
  visit("", 0);
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return { files, folders, faults, isThere: isThere === true };
}

function entriesOf(place: string, faults: string[]): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  } catch (error) {
    faults.push((error as Error).message);
    return [];
  }
}

function fileAt(
  folder: string,
  name: string,
  entry: Dirent,
  faults: string[],
): FoundFile | undefined {
  const place = path.join(folder, name);
  try {
    if (entry.isSymbolicLink() && !isWithin(folder, place)) {
      faults.push(`${name} is a link that leads out of the folder`);
      return undefined;
    }
    const stats = statSync(place);
    if (!stats.isFile()) return undefined;
    const { ino, size, mtimeMs, ctimeMs } = stats;
    const signature = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
    return { name, path: place, signature, size };
  } catch (error) {
    // Gone between the two looks, or a link to nowhere.
    faults.push((error as Error).message);
    return undefined;
  }
}

function isWithin(folder: string, place: string): boolean {
  return realpathSync(place).startsWith(realpathSync(folder) + path.sep);
}

/**
 * The bytes of a file, or nothing where it is larger than allowed.
 *
 * @param buffer where to put them; whoever reads many files uses one
 * @throws what the file system throws
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
