import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PrepareOptions } from "../write/prepare-group.js";
import { MAX_THREADS } from "../write/stage-group.js";
import type { ApiSettings } from "./api-settings.js";
import type { ExistingTargets } from "./document-targets.js";
import type { GenerateContext } from "./generate-api.js";
import type { GeneratedDocument } from "./generated-document.js";
import type { StageTimes } from "./timings.js";

/** Minimum number of documents for each thread. */
const DOCUMENTS_PER_THREAD = 8;

/** Document that is queued for the workers. */
export interface QueuedDocument {
  /** Index of the document in the list of sources. */
  readonly index: number;
  readonly name: string;
  /** Absolute path of the document. */
  readonly path: string;
  /** Size in bytes, by which the queue is sorted. */
  readonly size: number;
  readonly settings: ApiSettings;
}

/** Data that each worker thread receives. */
export interface WorkerInput {
  readonly queue: readonly QueuedDocument[];
  /**
   * Index of the next document in the queue, in memory that all threads share.
   */
  readonly next: Int32Array;
  /** Number of workers that are still loading their modules, in shared memory. */
  readonly loading: Int32Array;
  /**
   * True to configure V8 to optimize code later. The last worker to load its
   * modules changes the configuration.
   */
  readonly delays: boolean;
  /** Number of this thread. The main thread has number 0. */
  readonly thread: number;
  readonly imports: GenerateContext["imports"];
  readonly existingTargets: ExistingTargets;
  readonly locateInfo: boolean;
  /** True to measure the duration of each stage. */
  readonly isTimed: boolean;
  readonly hashSeed: string;
  readonly folder: PrepareOptions;
}

/** Result of a worker thread for one document. */
export interface WorkerResult extends GeneratedDocument {
  readonly index: number;
}

/**
 * Message from a worker: a result or, as its last message, the durations of its
 * stages.
 */
export type WorkerMessage = WorkerResult | { readonly times: StageTimes };

/**
 * Worker threads that process the documents of a queue together with the main
 * thread. Each thread takes the next document from the queue, generates its
 * output and prepares the files. Only hashes and findings are sent between
 * threads.
 */
export class GenerationWorkers {
  readonly #next = sharedCount(0);
  readonly #queue: readonly QueuedDocument[];
  readonly #running: Promise<void>[];
  readonly #results = new Map<number, WorkerResult>();
  /** Function that is called with each result. */
  onResult: (result: WorkerResult) => void = () => {};
  /**
   * Function that is called when a worker ends, with the durations of its
   * stages.
   */
  onTimes: (times: StageTimes) => void = () => {};

  /**
   * Returns the number of threads to use for a number of documents. Returns 1
   * on a single processor, and when the package runs from its TypeScript
   * sources.
   */
  static threadsFor(documents: number): number {
    const limit = Math.min(
      availableParallelism(),
      MAX_THREADS,
      Math.ceil(documents / DOCUMENTS_PER_THREAD),
    );
    return limit > 1 && existsSync(fileURLToPath(FILE)) ? limit : 1;
  }

  constructor(
    queue: readonly QueuedDocument[],
    threads: number,
    input: Omit<WorkerInput, "queue" | "next" | "loading" | "thread">,
  ) {
    this.#queue = queue;
    const loading = sharedCount(threads - 1);
    this.#running = Array.from({ length: threads - 1 }, (_, index) =>
      this.#start({
        ...input,
        queue,
        next: this.#next,
        loading,
        thread: index + 1,
      }),
    );
  }

  /** Takes the next document from the queue. Called by the main thread. */
  take(): QueuedDocument | undefined {
    return takeNext(this.#queue, this.#next);
  }

  /**
   * Waits until all workers have ended. Returns their results, keyed by
   * document index. Results of a crashed worker can be missing.
   */
  async results(): Promise<ReadonlyMap<number, GeneratedDocument>> {
    await Promise.all(this.#running);
    return this.#results;
  }

  #receive(message: WorkerMessage): void {
    if ("times" in message) {
      this.onTimes(message.times);
      return;
    }
    this.#results.set(message.index, message);
    this.onResult(message);
  }

  #start(workerData: WorkerInput): Promise<void> {
    return new Promise((resolve) => {
      new Worker(FILE, { workerData })
        .on("message", (message: WorkerMessage) => this.#receive(message))
        .on("error", () => {
          // A crash is not reported, because the main thread then processes all
          // documents without a result.
        })
        .on("exit", () => resolve());
    });
  }
}

/**
 * URL of the worker script in `dist`. It is relative to the bundled module,
 * which the build writes to `dist/chunks`.
 */
const FILE = new URL("../worker.js", import.meta.url);

/** Creates a number in memory that all threads share. */
function sharedCount(value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4)).fill(value);
}

/** Takes the next document from a queue that several threads share. */
export function takeNext(
  queue: readonly QueuedDocument[],
  next: Int32Array,
): QueuedDocument | undefined {
  return queue[Atomics.add(next, 0, 1)];
}
