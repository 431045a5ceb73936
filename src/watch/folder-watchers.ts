import { statSync, watch, type FSWatcher } from "node:fs";

/**
 * Interval in milliseconds at which the inputs are checked if the system does
 * not report changes, for example because too many folders are watched.
 */
const POLL_PERIOD = 1000;

interface FolderWatcher {
  readonly watcher: FSWatcher;
  readonly inode: number;
}

/**
 * File system watchers for a set of folders, which can be changed with
 * `update`. Only folders are watched, because the watcher of a file stops
 * reporting changes when an editor replaces the file by renaming.
 */
export class FolderWatchers {
  readonly #watchers = new Map<string, FolderWatcher>();
  readonly #onEvent: () => void;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onEvent function that is called for each change in a watched folder
   */
  constructor(onEvent: () => void) {
    this.#onEvent = onEvent;
  }

  /**
   * Watches exactly the given folders. Returns true if a new watcher was
   * started; changes in its folder before this call were not reported.
   */
  update(folders: ReadonlySet<string>): boolean {
    for (const folder of this.#watchers.keys())
      if (!folders.has(folder)) this.#close(folder);
    let isNew = false;
    for (const folder of folders) isNew = this.#open(folder) || isNew;
    return isNew;
  }

  /** Stops watching all folders. */
  close(): void {
    for (const folder of this.#watchers.keys()) this.#close(folder);
    clearInterval(this.#timer);
  }

  #open(folder: string): boolean {
    const inode = inodeOf(folder);
    if (inode === undefined) return false;
    const known = this.#watchers.get(folder);
    // A folder that was deleted and created again has another inode number and
    // needs a new watcher.
    if (known?.inode === inode) return false;
    this.#close(folder);
    try {
      const watcher = watch(folder, this.#onEvent);
      watcher.on("error", () => {
        this.#close(folder);
        this.#onEvent();
      });
      this.#watchers.set(folder, { watcher, inode });
      return true;
    } catch {
      this.#timer ??= setInterval(this.#onEvent, POLL_PERIOD);
      return false;
    }
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }
}

function inodeOf(folder: string): number | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}
