import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Source } from "../load/sources.js";
import type { ApiOutput, GenerateContext } from "./generate-api.js";
import type { CachedOutput } from "../write/output-cache.js";
import type { ApiSettings } from "./api-settings.js";

/** Data for the worker thread. */
export interface WorkerInput {
  /**
   * Paths of the documents; undefined for standard input, which only the main
   * thread reads.
   */
  readonly paths: readonly (string | undefined)[];
  readonly names: readonly string[];
  /** Flag for each document: 1 once a thread has claimed it. */
  readonly claims: Int32Array;
  /** Settings of each document. */
  readonly settings: readonly ApiSettings[];
  readonly imports: GenerateContext["imports"];
  readonly existingTargets: GenerateContext["existingTargets"];
  readonly locateInfo: boolean;
  /** Hash of generator and options, the prefix of all input hashes. */
  readonly hashSeed: string;
  /** Cached outputs by the hash of their inputs. */
  readonly cachedOutputs: ReadonlyMap<
    string,
    Pick<CachedOutput, "folder" | "targets">
  >;
}

/** Result of the worker for a document. */
export interface WorkerResult {
  readonly index: number;
  /** Hash of the inputs. */
  readonly inputs: string;
  /** Absent if cached output can be used. */
  readonly output?: ApiOutput;
}

/**
 * Worker thread that generates documents from the last to the first, while the
 * main thread generates them from the first to the last. Each thread claims a
 * document before it generates it.
 */
export class GenerationWorker {
  readonly #worker: Worker;
  readonly #claims: Int32Array;
  readonly #results = new Map<number, WorkerResult | undefined>();
  #wake: () => void = () => {};
  #hasExited = false;

  /**
   * Starts a worker. Returns undefined on a single processor, and when running
   * from sources.
   */
  static start(
    sources: readonly Source[],
    input: Omit<WorkerInput, "paths" | "names" | "claims">,
  ): GenerationWorker | undefined {
    // The build writes worker.js to the folder of the bundle.
    const file = new URL("../../worker.js", import.meta.url);
    return availableParallelism() > 1 && existsSync(fileURLToPath(file))
      ? new GenerationWorker(file, sources, input)
      : undefined;
  }

  private constructor(
    file: URL,
    sources: readonly Source[],
    input: Omit<WorkerInput, "paths" | "names" | "claims">,
  ) {
    this.#claims = new Int32Array(
      new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * sources.length),
    );
    const workerData: WorkerInput = {
      ...input,
      paths: sources.map(({ path }) => path),
      names: sources.map(({ name }) => name),
      claims: this.#claims,
    };
    this.#worker = new Worker(file, { workerData });
    this.#worker.on("message", (result: WorkerResult) => {
      this.#results.set(result.index, result);
      this.#wake();
    });
    const onExit = (): void => {
      this.#hasExited = true;
      this.#wake();
    };
    this.#worker.on("error", onExit).on("exit", onExit);
  }

  /**
   * Waits for the result of a document; undefined if the worker has not claimed
   * it or has crashed, so that the main thread must generate it.
   */
  async result(index: number): Promise<WorkerResult | undefined> {
    if (Atomics.compareExchange(this.#claims, index, 0, 1) === 0) return;
    while (!this.#results.has(index) && !this.#hasExited) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const result = this.#results.get(index);
    this.#results.delete(index);
    return result;
  }

  /** Terminates the thread. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
