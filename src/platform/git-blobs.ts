import { GitError, readGit } from "./git.js";
import { MAX_BYTES } from "./read-limited.js";

/** File in a Git revision. */
export interface GitBlob {
  /** Object id: SHA-1 or SHA-256 in hexadecimal. */
  readonly id: string;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * Returns the files with names such as `HEAD:./specs/drive.v3.json`, in the order
 * of the names; undefined for names that do not exist or are not files. Starts one
 * process.
 * @throws GitError if the folder is not in a repository
 */
export function findBlobs(
  names: readonly string[],
  cwd: string,
): (GitBlob | undefined)[] {
  if (names.length === 0) return [];
  // The input has a name in each line. An empty name is never found.
  const lines = names.map((name) => (/[\r\n]/.test(name) ? "" : name));
  const input = Buffer.from(`${lines.join("\n")}\n`);
  return readGit(cwd, "cat-file", ["--batch-check"], undefined, input)
    .toString()
    .split("\n")
    .slice(0, names.length)
    .map((line) => {
      const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
      return id === undefined ? undefined : { id, size: Number(size) };
    });
}

/**
 * Reads files of a Git revision. One process reads several files: those that
 * follow in the list, up to `MAX_BYTES`. Only the last files are in memory, so
 * files are read in the order of the list.
 */
export class BlobReader {
  readonly #blobs: readonly GitBlob[];
  readonly #cwd: string;
  #read = new Map<string, Buffer>();

  constructor(blobs: readonly GitBlob[], cwd: string) {
    this.#blobs = blobs;
    this.#cwd = cwd;
  }

  /** @throws GitError if the file is larger than `MAX_BYTES` or can't be read */
  read(id: string): Buffer {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    const batch = this.#batchFrom(id);
    const bytes = readGit(
      this.#cwd,
      "cat-file",
      ["--batch"],
      batch.reduce((sum, { size }) => sum + size + HEADER, 0),
      Buffer.from(batch.map((blob) => `${blob.id}\n`).join("")),
    );
    this.#read = parseBatch(bytes);
    const found = this.#read.get(id);
    if (found === undefined) throw new GitError(`${id} can't be read`);
    return found;
  }

  #batchFrom(id: string): readonly GitBlob[] {
    const start = this.#blobs.findIndex((blob) => blob.id === id);
    const first = this.#blobs[start];
    if (first === undefined) throw new GitError(`${id} is not listed`);
    if (first.size > MAX_BYTES)
      throw new GitError(`the file is larger than ${MAX_BYTES} bytes`);
    let total = 0;
    return this.#blobs
      .slice(start)
      .filter(({ size }) => (total += size) <= MAX_BYTES);
  }
}

/** Maximum size in bytes of the line before a file, and of the line break after it. */
const HEADER = 128;

/** Parses the output of `git cat-file --batch`: lines `<id> blob <size>`, each before a file. */
function parseBatch(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const line = bytes.toString("latin1", at, end === -1 ? undefined : end);
    const [, id, length] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    if (id === undefined) throw new GitError(line.slice(0, 200));
    const start = end + 1;
    const stop = start + Number(length);
    found.set(id, bytes.subarray(start, stop));
    at = stop + 1;
  }
  return found;
}
