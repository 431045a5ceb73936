import { setTimeout as sleep } from "node:timers/promises";
import { statSync, watch, type FSWatcher } from "node:fs";
import {
  changedPaths,
  isHalfSaved,
  takeSnapshot,
  type Snapshot,
  type WatchedInputs,
} from "./snapshot.js";

/** Remote inputs, which are polled for changes. */
export interface RemoteInputs {
  /** Milliseconds between the end of a poll and the start of the next one. */
  readonly period: number;
  /**
   * Tests whether a remote document changed. The next run then fetches it.
   * Errors are ignored, so that watching continues if a server is unreachable.
   */
  hasChanged(signal: AbortSignal): Promise<boolean>;
}

/** Settings of `watchInputs`, which watches files and starts runs. */
export interface WatchOptions {
  /**
   * Lists the inputs. Called after each event, so that new files are found. The
   * list for a config includes the config file.
   */
  inputs(): Promise<WatchedInputs>;
  /**
   * Generates the output. Called once at the start, and after each change to an
   * input; never concurrently.
   * @param changed paths of the changed inputs; empty in the first run and
   * after remote changes
   */
  run(changed: readonly string[]): Promise<void>;
  readonly remote?: RemoteInputs | undefined;
  /** Signal that ends the watch after the current run. */
  readonly signal: AbortSignal;
  /** Milliseconds without events before a run. Default: 20. */
  readonly delay?: number;
}

/**
 * Milliseconds without events before a run. Editors save in several steps,
 * which `isHalfSaved` recognizes, so the delay only has to combine the events
 * of one step.
 */
const DELAY = 20;

/** Milliseconds after which a run starts even though events continue. */
const MAX_DELAY = 1000;

/**
 * Milliseconds that a file can be missing or empty before this counts as a
 * change and starts a run.
 */
const SAVE_TIME = 400;

/**
 * Runs once, and again after each change to an input, until the signal is
 * aborted. A run starts only if the state of an input changed; events for other
 * files, and for the output, are ignored. Throws only errors of `run` and
 * `inputs`.
 */
export async function watchInputs(options: WatchOptions): Promise<void> {
  const watch = new InputWatch(options);
  try {
    await watch.loop();
  } finally {
    watch.close();
  }
}

class InputWatch {
  readonly #watchers = new FolderWatchers(() => this.#wake());
  readonly #closed = new AbortController();
  #isRemoteChanged = false;
  #hasEvent = false;
  #lastEvent = 0;
  #notify: () => void = () => {};

  constructor(readonly options: WatchOptions) {
    options.signal.addEventListener("abort", () => this.#notify(), {
      once: true,
    });
    if (options.remote !== undefined) void this.#poll(options.remote);
  }

  close(): void {
    this.#watchers.close();
    this.#closed.abort();
  }

  async loop(): Promise<void> {
    const { signal, run } = this.options;
    let state = await this.#observe();
    let changed: readonly string[] | undefined = [];
    for (;;) {
      if (signal.aborted) return;
      // The state was read before the run, so that a change during the run
      // starts another run.
      if (changed !== undefined) await run(changed);
      if (changed === undefined) await this.#event();
      if (signal.aborted) return;
      const next: Snapshot = await this.#settle(state);
      const paths = changedPaths(state, next);
      changed = paths.length > 0 || this.#takeRemote() ? paths : undefined;
      state = next;
    }
  }

  /**
   * Watches the folders of the inputs, and returns the state of the inputs.
   * Reads the state again if inputs could have changed before a new watcher was
   * active.
   * @param before earlier state
   */
  async #observe(before?: Snapshot): Promise<Snapshot> {
    for (let round = 0; ; round++) {
      this.#hasEvent = false;
      const snapshot = takeSnapshot(await this.options.inputs(), before);
      if (!this.#watchers.update(snapshot.folders) || round >= 3)
        return snapshot;
    }
  }

  /**
   * Waits until a series of changes has ended, and returns the state of the
   * inputs.
   */
  async #settle(before: Snapshot): Promise<Snapshot> {
    const start = Date.now();
    for (;;) {
      await this.#quiet(start);
      const state = await this.#observe(before);
      const isLong = Date.now() - start >= SAVE_TIME;
      if (isLong || this.options.signal.aborted || !isHalfSaved(before, state))
        return state;
      await this.#event(DELAY);
    }
  }

  /** Waits until no event has occurred for the configured delay. */
  async #quiet(start: number): Promise<void> {
    const { signal, delay = DELAY } = this.options;
    while (this.#hasEvent && !signal.aborted) {
      const now = Date.now();
      const rest = this.#lastEvent + delay - now;
      if (rest <= 0 || now - start >= MAX_DELAY) return;
      await sleep(rest);
    }
  }

  /** Waits for an event, for at most the given number of milliseconds. */
  async #event(limit?: number): Promise<void> {
    if (this.#hasEvent || this.#isRemoteChanged || this.options.signal.aborted)
      return;
    await new Promise<void>((resolve) => {
      const timer =
        limit === undefined ? undefined : setTimeout(resolve, limit);
      this.#notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#notify = () => {};
  }

  #wake(): void {
    this.#hasEvent = true;
    this.#lastEvent = Date.now();
    this.#notify();
  }

  #takeRemote(): boolean {
    const isChanged = this.#isRemoteChanged;
    this.#isRemoteChanged = false;
    return isChanged;
  }

  async #poll({ period, hasChanged }: RemoteInputs): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await sleep(period, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      if (!(await hasChanged(signal).catch(() => false))) continue;
      this.#isRemoteChanged = true;
      this.#notify();
    }
  }
}

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
