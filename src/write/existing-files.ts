import { lstatSync, readFileSync, type Stats } from "node:fs";
import path from "node:path";
import { hash } from "../platform/hash.js";
import { MAX_PLAIN_BYTES, readUnlinked } from "../platform/plain-file.js";

/**
 * State of a path: missing (`absent`), a regular file, or anything else
 * (`obstacle`).
 */
export type PathState = "absent" | "obstacle" | Pick<Stats, "size">;

/**
 * Inspects paths below `--out`. Links are not followed, because they can lead
 * out of the folder. The states of folders are cached, so an instance must be
 * used for only one comparison.
 */
export class PathInspector {
  readonly #out: string;
  readonly #folders = new Map<string, "folder" | "absent" | "obstacle">();

  constructor(out: string) {
    this.#out = out;
  }

  /** Returns the state of a path; `obstacle` if the path can't be read. */
  inspect(relative: string): PathState {
    const parent = this.#parentState(relative);
    if (parent !== "folder") return parent;
    const stats = this.#stats(relative);
    if (stats === undefined) return "absent";
    return stats !== "unknown" && stats.isFile() ? stats : "obstacle";
  }

  /**
   * Returns `folder` if all parents of a path are folders; otherwise the state
   * of the first parent that is not a folder.
   */
  #parentState(relative: string): "folder" | "absent" | "obstacle" {
    const end = relative.lastIndexOf("/");
    if (end === -1) return "folder";
    const folder = relative.slice(0, end);
    let state = this.#folders.get(folder);
    if (state === undefined) {
      state = this.#parentState(folder);
      if (state === "folder") state = this.#kindOf(folder);
      this.#folders.set(folder, state);
    }
    return state;
  }

  #kindOf(folder: string): "folder" | "absent" | "obstacle" {
    const stats = this.#stats(folder);
    if (stats === undefined) return "absent";
    return stats !== "unknown" && stats.isDirectory() ? "folder" : "obstacle";
  }

  #stats(relative: string): Stats | undefined | "unknown" {
    try {
      return lstatSync(`${this.#out}/${relative}`, { throwIfNoEntry: false });
    } catch {
      return "unknown";
    }
  }
}

/**
 * Throws if a parent folder of a path below `--out` is not a real folder but,
 * for example, a link. Files must not be created or removed through links.
 */
export function refuseLinks(out: string, relative: string): void {
  const parts = relative.split("/").slice(0, -1);
  let current = "";
  for (const part of parts) {
    current = current === "" ? part : `${current}/${part}`;
    const file = path.join(out, current);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory())
      throw new Error(
        `${current} must be a folder, found ${stats.isSymbolicLink() ? "a link" : "another kind of file"}`,
      );
  }
}

/**
 * Tests whether a file has the expected content. Also returns true if the only
 * difference is CRLF instead of LF at line ends, as in a checkout with Git's
 * core.autocrlf.
 */
export function hasContent(
  out: string,
  relative: string,
  size: number,
  text: string,
): boolean {
  const expected = Buffer.from(text);
  // With CRLF instead of LF, a file is at most twice as large as the expected
  // content. A larger file therefore has different content.
  if (size < expected.length || size > 2 * expected.length) return false;
  const current = readUnlinked(`${out}/${relative}`, size, readFile);
  if (current === undefined) return false;
  return (
    current.equals(expected) ||
    (!expected.includes("\r") &&
      withoutCarriageReturns(current).equals(expected))
  );
}

/**
 * Tests whether a path is a regular file with the given content hash. Line
 * breaks in the file can be CRLF instead of LF.
 */
export function hasHash(
  out: string,
  relative: string,
  inspector: PathInspector,
  expected: string,
): boolean {
  const state = inspector.inspect(relative);
  if (typeof state === "string" || state.size > MAX_PLAIN_BYTES) return false;
  const current = readUnlinked(`${out}/${relative}`, MAX_PLAIN_BYTES, readFile);
  if (current === undefined) return false;
  return (
    hash(current) === expected ||
    (current.includes("\r\n") &&
      hash(withoutCarriageReturns(current)) === expected)
  );
}

/**
 * Tests whether all files of an API or runtime exist and have the given hashes.
 */
export function isIntact(
  folder: string,
  files: Readonly<Record<string, string>>,
  out: string,
): boolean {
  const inspector = new PathInspector(out);
  return Object.entries(files).every(([name, expected]) =>
    hasHash(out, `${folder}/${name}`, inspector, expected),
  );
}

function readFile(descriptor: number): Buffer {
  return readFileSync(descriptor);
}

function withoutCarriageReturns(content: Buffer): Buffer {
  return content.includes("\r\n")
    ? Buffer.from(content.toString("latin1").replace(/\r\n/g, "\n"), "latin1")
    : content;
}
