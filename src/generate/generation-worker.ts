import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Source } from "../load/sources.js";
import type { ApiOutput, GenerateContext } from "./generate-api.js";
import type { TargetOptions } from "../targets/target.js";

/** What the second thread needs to know. */
export interface WorkerInput {
  /** Paths of the documents; those that only the main thread can read are absent. */
  readonly paths: readonly (string | undefined)[];
  readonly names: readonly string[];
  /** A flag for each document: 1 once a thread took it. */
  readonly claims: Int32Array;
  readonly targets: readonly string[];
  readonly target: TargetOptions;
  readonly existingTargets: GenerateContext["existingTargets"];
  readonly locateInfo: boolean;
  /** Seed of the documents' hashes, and the hashes of those that are done. */
  readonly hashSeed: string;
  readonly cachedInputs: ReadonlySet<string>;
}

/** What the second thread made of a document; `known`: nothing, it is done. */
export interface WorkerResult {
  readonly index: number;
  readonly inputs: string;
  readonly output?: ApiOutput;
}

/**
 * A second thread that works through the documents from the end, while the
 * main one does from the beginning: whoever claims a document makes it.
 */
export class GenerationWorker {
  readonly #worker: Worker;
  readonly #claims: Int32Array;
  readonly #results = new Map<number, WorkerResult | undefined>();
  #wake: () => void = () => {};
  #isGone = false;

  /** A helper, where there is a processor for it. */
  static start(
    sources: readonly Source[],
    input: Omit<WorkerInput, "paths" | "names" | "claims">,
  ): GenerationWorker | undefined {
    // Beside the bundle; where the sources run as they are, there is none.
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
    const gone = (): void => {
      this.#isGone = true;
      this.#wake();
    };
    this.#worker.on("error", gone).on("exit", gone);
  }

  /**
   * What the helper made of a document; undefined where the main thread has to
   * make it, also because the helper died over it.
   */
  async result(index: number): Promise<WorkerResult | undefined> {
    if (Atomics.compareExchange(this.#claims, index, 0, 1) === 0) return;
    while (!this.#results.has(index) && !this.#isGone) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const result = this.#results.get(index);
    this.#results.delete(index);
    return result;
  }

  /** Ends the thread. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
