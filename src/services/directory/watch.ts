import { watch, type FSWatcher } from "node:fs";
import type { FolderContent } from "./folder.js";

/** Milliseconds of quiet after which a change is looked at: files are written in pieces. */
const QUIET = 100;

/** Milliseconds after which a change is looked at, quiet or not. */
const PATIENCE = 500;

/** Milliseconds between looks, whatever the platform tells. */
const INTERVAL = 5000;

/** The same where it can't be told of changes. */
const SHORT_INTERVAL = 750;

/** Watches below this many folders; the others are looked at now and then. */
const MAX_WATCHERS = 256;

/** Calls for a look at the folder when something in it has changed. */
export class FolderWatch {
  readonly #look: () => FolderContent;
  readonly #watchers = new Map<string, FSWatcher>();
  #interval = INTERVAL;
  #quiet: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #changedAt: number | undefined;

  constructor(content: FolderContent, look: () => FolderContent) {
    this.#look = look;
    this.#follow(content);
    this.#plan();
  }

  close(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#next);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches the folders that are there now. */
  #follow({ folders }: FolderContent): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    this.#interval = INTERVAL;
    for (const folder of folders)
      if (!this.#add(folder)) this.#interval = SHORT_INTERVAL;
  }

  #add(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    if (this.#watchers.size >= MAX_WATCHERS) return false;
    try {
      const watcher = watch(folder, { persistent: false }, () =>
        this.#changed(),
      );
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#changed();
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      // Too many watches, or a file system that has none.
      return false;
    }
  }

  #changed(): void {
    const now = performance.now();
    this.#changedAt ??= now;
    clearTimeout(this.#quiet);
    const left = Math.max(0, this.#changedAt + PATIENCE - now);
    this.#quiet = setTimeout(() => this.#run(), Math.min(QUIET, left)).unref();
  }

  #run(): void {
    clearTimeout(this.#quiet);
    this.#changedAt = undefined;
    this.#follow(this.#look());
    this.#plan();
  }

  #plan(): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#run(), this.#interval).unref();
  }
}
