import { watch, type FSWatcher } from "node:fs";
import type { FolderContent } from "./folder.js";

/**
 * Milliseconds without further changes after which the folder is scanned again.
 * The delay is needed because a file is often written in several steps.
 */
const QUIET_TIME = 100;

/** Maximum number of milliseconds between a change and the next scan. */
const MAX_DELAY = 500;

/** Milliseconds between scans if all folders are watched. */
const INTERVAL = 5000;

/** Milliseconds between scans if some folders can't be watched. */
const SHORT_INTERVAL = 750;

/** Maximum number of watched folders. */
const MAX_WATCHERS = 256;

/** Watcher that scans a folder again when it changes. */
export class FolderWatch {
  readonly #rescan: () => FolderContent;
  readonly #watchers = new Map<string, FSWatcher>();
  #interval = INTERVAL;
  #quietTimer: NodeJS.Timeout | undefined;
  #nextTimer: NodeJS.Timeout | undefined;
  #changedAt: number | undefined;

  constructor(content: FolderContent, rescan: () => FolderContent) {
    this.#rescan = rescan;
    this.#updateWatchers(content);
    this.#schedule();
  }

  close(): void {
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#nextTimer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches new folders and stops watching deleted ones. */
  #updateWatchers({ folders }: FolderContent): void {
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
      // The watch failed: either there are too many watchers, or the file
      // system does not support watching.
      return false;
    }
  }

  #changed(): void {
    const now = performance.now();
    this.#changedAt ??= now;
    clearTimeout(this.#quietTimer);
    const left = Math.max(0, this.#changedAt + MAX_DELAY - now);
    this.#quietTimer = setTimeout(
      () => this.#run(),
      Math.min(QUIET_TIME, left),
    ).unref();
  }

  #run(): void {
    clearTimeout(this.#quietTimer);
    this.#changedAt = undefined;
    this.#updateWatchers(this.#rescan());
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#nextTimer);
    this.#nextTimer = setTimeout(() => this.#run(), this.#interval).unref();
  }
}
