import { lstatSync, type Stats } from "node:fs";
import path from "node:path";

/** What of a path is there: nothing, a plain file with its size, or something in the way. */
export type PathState = "absent" | "obstacle" | { readonly size: number };

/**
 * Looks at paths below --out without following links: those lead elsewhere.
 * Folders are looked at once, so an instance serves one comparison.
 */
export class PathInspector {
  readonly #out: string;
  readonly #folders = new Map<string, "folder" | "absent" | "obstacle">();

  constructor(out: string) {
    this.#out = out;
  }

  /** What cannot be looked at is in the way. */
  inspect(relative: string): PathState {
    const above = this.#above(relative);
    if (above !== "folder") return above;
    const stats = this.#stats(relative);
    if (stats === undefined) return "absent";
    return stats !== "unknown" && stats.isFile()
      ? { size: stats.size }
      : "obstacle";
  }

  /** What the folders above a path are. */
  #above(relative: string): "folder" | "absent" | "obstacle" {
    const end = relative.lastIndexOf("/");
    if (end === -1) return "folder";
    const folder = relative.slice(0, end);
    let found = this.#folders.get(folder);
    if (found === undefined) {
      found = this.#above(folder);
      if (found === "folder") found = this.#kindOf(folder);
      this.#folders.set(folder, found);
    }
    return found;
  }

  #kindOf(folder: string): "folder" | "absent" | "obstacle" {
    const stats = this.#stats(folder);
    if (stats === undefined) return "absent";
    return stats !== "unknown" && stats.isDirectory() ? "folder" : "obstacle";
  }

  #stats(relative: string): Stats | undefined | "unknown" {
    const file = path.join(this.#out, relative);
    try {
      return lstatSync(file, { throwIfNoEntry: false });
    } catch {
      return "unknown";
    }
  }
}

/**
 * Throws where a folder above a path below --out is a link, or no folder:
 * nothing may be moved, made or removed through it.
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
        `${current} must be a folder, but is ${stats.isSymbolicLink() ? "a link" : "something else"}`,
      );
  }
}
