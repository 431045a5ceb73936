import { lstatSync, type Stats } from "node:fs";
import path from "node:path";

/** State of a regular file. */
export type FileState = Pick<Stats, "size" | "mtimeMs" | "ctimeMs" | "ino">;

/**
 * State of a path: missing (`absent`), a regular file, or anything else
 * (`obstacle`).
 */
export type PathState = "absent" | "obstacle" | FileState;

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
      // The paths are concatenated, because path.join takes longer than lstat.
      return lstatSync(`${this.#out}/${relative}`, { throwIfNoEntry: false });
    } catch {
      return "unknown";
    }
  }
}

/**
 * Throws if a parent folder of a path below `--out` is not a real folder but,
 * for example, a link. Files must not be moved, created or removed through
 * links.
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
