import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PrepareOptions } from "../write/prepare-group.js";
import { MAX_THREADS } from "../write/stage-group.js";
import type { ApiSettings } from "./api-settings.js";
import type { GenerateContext } from "./generate-api.js";
import type { GeneratedDocument } from "./generated-document.js";
import type { StageTimes } from "./timings.js";

/** Minimum number of documents for which a thread is started. */
const DOCUMENTS_PER_THREAD = 8;

/** Document of the queue. */
export interface QueuedDocument {
  /** Position in the list of sources. */
  readonly index: number;
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Size in bytes, by which the queue is sorted. */
  readonly size: number;
  readonly settings: ApiSettings;
}

/** Data for the worker threads. */
export interface WorkerInput {
  readonly queue: readonly QueuedDocument[];
  /** Position of the next document in the queue, shared by all threads. */
  readonly next: Int32Array;
  /** Number of this thread, and of all threads. The main thread has number 0. */
  readonly thread: number;
  readonly threads: number;
  readonly imports: GenerateContext["imports"];
  readonly existingTargets: GenerateContext["existingTargets"];
  readonly locateInfo: boolean;
  /** True to measure the time of each stage. */
  readonly isTimed: boolean;
  readonly hashSeed: string;
  readonly folder: PrepareOptions;
}

/** Result of a worker for a document. */
export interface WorkerResult extends GeneratedDocument {
  readonly index: number;
}

/** Message of a worker: a result, or at its end the times of its stages. */
export type WorkerMessage = WorkerResult | { readonly times: StageTimes };

/**
 * Worker threads that generate the documents of a queue together with the main
 * thread. Each thread takes the next document, generates it and prepares its
 * files, so that only hashes and findings are sent between threads.
 */
export class GenerationWorkers {
  readonly #next = new Int32Array(new SharedArrayBuffer(4));
  readonly #queue: readonly QueuedDocument[];
  readonly #running: Promise<void>[];
  readonly #results = new Map<number, WorkerResult>();
  /** Called for each result. */
  onResult: (result: WorkerResult) => void = () => {};
  /** Called for each worker that has ended, with the times of its stages. */
  onTimes: (times: StageTimes) => void = () => {};

  /**
   * Returns the number of threads for a number of documents: 1 on a single
   * processor, and when running from sources.
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
    input: Omit<WorkerInput, "queue" | "next" | "thread" | "threads">,
  ) {
    this.#queue = queue;
    this.#running = Array.from({ length: threads - 1 }, (_, index) =>
      this.#start({
        ...input,
        queue,
        next: this.#next,
        thread: index + 1,
        threads,
      }),
    );
  }

  /** Takes the next document for the main thread. */
  take(): QueuedDocument | undefined {
    return takeNext(this.#queue, this.#next);
  }

  /**
   * Waits until all workers have ended, and returns their results by position.
   * Documents of a worker that crashed are missing.
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
          // The documents of a worker that crashed are generated again.
        })
        .on("exit", () => resolve());
    });
  }
}

/**
 * Script of the workers in `dist`, relative to the bundled module, which the
 * build writes to `dist/chunks`.
 */
const FILE = new URL("../worker.js", import.meta.url);

/** Takes the next document of a queue that several threads share. */
export function takeNext(
  queue: readonly QueuedDocument[],
  next: Int32Array,
): QueuedDocument | undefined {
  return queue[Atomics.add(next, 0, 1)];
}
