// This file is longer than others because it contains all steps of a run, in
// order.

import { statSync } from "node:fs";
import { fingerprint, version } from "#built/runtime.js";
import { locate } from "../diagnostics/locate.js";
import { Sink } from "../diagnostics/sink.js";
import { restoredFinding } from "../diagnostics/stored-finding.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { readBytes } from "../load/load.js";
import { decodeText } from "../load/parse.js";
import {
  listSources,
  type Listing,
  type ResolveRemote,
  type Source,
} from "../load/sources.js";
import {
  delayOptimization,
  limitHeapGrowth,
  mayWorkersDelay,
} from "../platform/delay-optimization.js";
import { hash } from "../platform/hash.js";
import { targetsIn } from "../targets/index.js";
import { isRuntime } from "../write/manifest.js";
import type { CachedOutput } from "../write/output-cache.js";
import { OutputSession, type SessionOptions } from "../write/output-session.js";
import type { GroupPlan } from "../write/plan.js";
import type { Origin } from "../write/source-paths.js";
import type { ApiSettings, SpecSettings } from "./api-settings.js";
import { reportFailure } from "./failures.js";
import { inputsHash } from "./inputs-hash.js";
import { hasTargets } from "./document-targets.js";
import type { GenerateContext } from "./generate-api.js";
import {
  generateDocument,
  LARGE_DOCUMENT,
  type DocumentContext,
  type GeneratedDocument,
} from "./generated-document.js";
import type {
  GenerationWorkers,
  QueuedDocument,
} from "./generation-workers.js";
import {
  dropUnusedRuntimes,
  planRuntimes,
  runtimesOfRun,
} from "./runtime-folders.js";
import { timed } from "./timings.js";

/**
 * Minimum number of documents for which worker threads are started. For fewer
 * documents, starting threads takes more time than it saves.
 */
const MANY = 16;

/**
 * Total size of documents, in bytes. From this size on, the JavaScript engine is
 * configured to delay the optimization of code.
 */
const LARGE = 1024 * 1024;

export { isChange, type Action, type GroupPlan } from "../write/plan.js";

/** Options of a generator run. */
export interface PipelineOptions extends Omit<
  GenerateContext,
  "existingTargets"
> {
  readonly specs: readonly SpecSettings[];
  readonly cwd: string;
  /** Function that fetches remote documents. */
  readonly resolveRemote?: ResolveRemote | undefined;
  readonly session: SessionOptions;
  /** True to delete the output of targets that are not requested. */
  readonly prune: boolean;
  /** Hash of the run's options that affect the output. */
  readonly optionsHash: string;
  /**
   * True if worker threads can generate the output. Workers support neither
   * user templates nor a formatter.
   */
  readonly isThreadable?: boolean;
  /**
   * True if `specs` contains all documents whose output belongs in the folder.
   * If none of them fails, the output of all other APIs is deleted.
   */
  readonly isComplete?: boolean;
  /** Function that is called after each document has been processed. */
  readonly onProgress?: (name: string, done: number, total: number) => void;
}

/** Result of a run. With `check` and `dry-run`, no files are written. */
export interface PipelineResult {
  readonly plans: readonly GroupPlan[];
  readonly diagnostics: readonly Diagnostic[];
  /** Number of documents in the run. */
  readonly total: number;
  /** Number of documents for which no output was generated. */
  readonly failed: number;
}

/**
 * Runs all stages. For each document: list → read → reuse if unchanged,
 * otherwise check → build model → render → format → prepare. Then all output is
 * written at once.
 */
export async function runPipeline(
  options: PipelineOptions,
): Promise<PipelineResult> {
  const specs = options.specs.map(({ spec }) => spec);
  const { timings, cwd, resolveRemote } = options;
  const listing = await timed(timings, "list", () =>
    listSources(specs, cwd, resolveRemote),
  );
  const run = new Run(options, listing);
  await run.documents();
  await run.finish();
  const { diagnostics, session } = run;
  const failed = run.failed + session.withdrawn;
  const { length: total } = listing.sources;
  return { plans: session.plans, diagnostics, total, failed };
}

/** Processed document whose output is not written yet, with its findings. */
interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Function that adds the output to the planned files; returns false on a
   * conflict.
   */
  readonly plan?: (sink: Sink) => boolean;
}

/**
 * Document whose output must be generated, because no cached output can be
 * reused.
 */
interface Pending {
  readonly index: number;
  /** Content of standard input, which can be read only once. */
  readonly bytes?: Buffer | undefined;
}

class Run {
  readonly session: OutputSession;
  readonly diagnostics: Diagnostic[] = [];
  failed = 0;
  readonly #settings: ReadonlyMap<string, ApiSettings>;
  readonly #context: DocumentContext;
  readonly #outcomes: (Outcome | undefined)[] = [];
  readonly #sink: Sink;
  #done = 0;

  constructor(
    readonly options: PipelineOptions,
    readonly listing: Listing,
  ) {
    const { session, specs, prune, optionsHash } = options;
    this.session = new OutputSession(session);
    this.#sink = new Sink();
    this.#settings = new Map(
      specs.map(({ spec, settings }) => [spec, settings]),
    );
    this.#context = {
      ...options,
      existingTargets: prune ? {} : this.#existingTargets(),
      hashSeed: hash(version, fingerprint, optionsHash),
      prepare: (files) =>
        timed(options.timings, "plan", () =>
          this.session.prepare(files, this.#sink),
        ),
    };
    this.diagnostics.push(...listing.diagnostics, ...this.session.diagnostics);
  }

  /** Returns the targets of the existing output, keyed by API folder. */
  #existingTargets(): Record<string, readonly string[]> {
    const apis = Object.entries(this.session.before).filter(
      ([folder]) => !isRuntime(folder),
    );
    return Object.fromEntries(
      apis.map(([folder, { files }]) => [folder, targetsIn(files)]),
    );
  }

  #settingsOf({ spec }: Source): ApiSettings {
    return this.#settings.get(spec)!;
  }

  /**
   * Reuses or generates the output of all documents, then adds it to the
   * planned files. The output is added in the order of the sources, so that the
   * result does not depend on the scheduling of threads.
   */
  async documents(): Promise<void> {
    const { sources } = this.listing;
    await this.#generate(await this.#pending());
    for (const [index, source] of sources.entries()) {
      const { diagnostics, plan } = this.#outcomes[index]!;
      const sink = new Sink(source.name);
      let isDone = false;
      try {
        isDone = plan?.(sink) ?? false;
      } catch (error) {
        reportFailure(error, sink);
      }
      this.diagnostics.push(...diagnostics, ...sink.diagnostics);
      if (!isDone || sink.hasErrors) this.failed++;
    }
    this.diagnostics.push(...this.#sink.diagnostics);
  }

  /**
   * Reuses cached output; returns the documents whose output must be generated.
   */
  async #pending(): Promise<Pending[]> {
    const { sources } = this.listing;
    if (!this.session.hasCache) return sources.map((_, index) => ({ index }));
    const pending: Pending[] = [];
    for (const [index, source] of sources.entries()) {
      const found = await this.#reuse(source);
      if ("diagnostics" in found) this.#finish(index, found);
      else pending.push({ index, ...found });
    }
    return pending;
  }

  #finish(index: number, outcome: Outcome): void {
    const { sources } = this.listing;
    this.#outcomes[index] = outcome;
    this.options.onProgress?.(
      sources[index]!.name,
      ++this.#done,
      sources.length,
    );
  }

  /**
   * Reuses the output of an earlier run. If the output must be generated
   * instead, the result has no `diagnostics`.
   */
  async #reuse(source: Source): Promise<Outcome | Pick<Pending, "bytes">> {
    const { timings } = this.options;
    const sink = new Sink(source.name);
    try {
      const bytes = timed(timings, "read", () => readBytes(source, sink, true));
      if (bytes === undefined) return sink;
      const missed = source.path === undefined ? { bytes } : {};
      const settings = this.#settingsOf(source);
      const inputs = inputsHash(this.#context.hashSeed, settings, bytes);
      const cached = this.session.cachedOutput(inputs);
      if (cached === undefined) return missed;
      const intact = await timed(timings, "plan", () =>
        this.#intact(cached, settings),
      );
      if (intact === undefined) return missed;
      const origin = originOf(source, inputs);
      return {
        diagnostics: this.#findingsOf(intact, source, missed.bytes),
        plan: (planSink) => this.session.reuse(intact, origin, planSink),
      };
    } catch (error) {
      reportFailure(error, sink);
      return sink;
    }
  }

  /** Returns cached output if it is complete and its files are unmodified. */
  async #intact(
    cached: CachedOutput,
    settings: ApiSettings,
  ): Promise<CachedOutput | undefined> {
    const { existingTargets, formatter } = this.#context;
    if (!hasTargets(cached, settings, existingTargets)) return undefined;
    const paths = Object.keys(cached.files).map(
      (name) => `${cached.folder}/${name}`,
    );
    const style = await formatter?.styleOf(paths);
    return style === cached.style ? this.session.intact(cached) : undefined;
  }

  /**
   * Returns the findings of the run that generated the cached output. Positions
   * of info diagnostics are calculated only if they are printed.
   */
  #findingsOf(
    { findings }: CachedOutput,
    source: Source,
    bytes: Buffer | undefined,
  ): readonly Diagnostic[] {
    const restored = findings.map((finding) =>
      restoredFinding(finding, source.name),
    );
    const isLocated = !this.options.locateInfo || restored.length === 0;
    return isLocated
      ? restored
      : locate(restored, decodeText(bytes ?? source.read()));
  }

  async #generate(pending: readonly Pending[]): Promise<void> {
    const { sources } = this.listing;
    const queue = this.#queue(pending);
    const bytes = queue.reduce((sum, { size }) => sum + size, 0);
    if (queue[0] !== undefined && queue[0].size >= LARGE_DOCUMENT)
      limitHeapGrowth();
    const isLarge = bytes >= LARGE;
    const workers = await this.#startWorkers(queue, isLarge);
    if (workers === undefined) {
      if (isLarge) delayOptimization();
      for (const { index, bytes: content } of pending)
        await this.#generateDocument(index, content);
      return;
    }
    workers.onResult = (result) => this.#plan(result.index, result);
    for (const { index } of pending)
      if (sources[index]!.path === undefined)
        await this.#generateDocument(index);
    for (let next = workers.take(); next !== undefined; next = workers.take()) {
      await this.#generateDocument(next.index);
      // Waits for one iteration of the event loop, so that results of workers
      // and signals are received.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await workers.results();
    for (const { index } of pending)
      if (this.#outcomes[index] === undefined)
        await this.#generateDocument(index);
  }

  async #generateDocument(index: number, bytes?: Buffer): Promise<void> {
    const source = this.listing.sources[index]!;
    const settings = this.#settingsOf(source);
    this.#plan(
      index,
      await generateDocument(source, settings, this.#context, bytes),
    );
  }

  #plan(index: number, document: GeneratedDocument): void {
    const { inputs, targets, diagnostics, prepared, style, failure } = document;
    const { formatter } = this.#context;
    const isStable = formatter === undefined || style !== undefined;
    const origin = originOf(this.listing.sources[index]!, inputs);
    const output = { prepared, targets, style, isStable, diagnostics };
    this.#finish(index, {
      diagnostics,
      plan: (sink) => {
        if (failure !== undefined) this.session.fail(failure, sink);
        return (
          prepared !== undefined &&
          this.session.plan({ ...output, prepared }, origin, sink)
        );
      },
    });
  }

  /** Starts worker threads if there are enough documents. */
  async #startWorkers(
    queue: readonly QueuedDocument[],
    isLarge: boolean,
  ): Promise<GenerationWorkers | undefined> {
    if (queue.length < MANY || this.options.isThreadable !== true) return;
    const { GenerationWorkers: Workers } =
      await import("./generation-workers.js");
    const threads = Workers.threadsFor(queue.length);
    if (threads === 1) return undefined;
    const folder = this.session.shareFolder(this.#sink);
    if (folder === undefined) return undefined;
    const { imports, existingTargets, locateInfo, hashSeed } = this.#context;
    const { timings } = this.options;
    const isTimed = timings !== undefined;
    const workers = new Workers(queue, threads, {
      imports,
      existingTargets,
      locateInfo,
      hashSeed,
      isTimed,
      folder,
      delays: isLarge && mayWorkersDelay(),
    });
    if (isTimed) {
      timings.threads = Math.max(timings.threads, threads);
      workers.onTimes = (times) => timings.addAll(times);
    }
    return workers;
  }

  /**
   * Returns the documents that are files, largest first, so that all threads
   * end at about the same time.
   */
  #queue(pending: readonly Pending[]): QueuedDocument[] {
    return pending
      .flatMap(({ index }) => {
        const source = this.listing.sources[index]!;
        const { name, path } = source;
        const settings = this.#settingsOf(source);
        return path === undefined
          ? []
          : [{ index, name, path, settings, size: sizeOf(path) }];
      })
      .sort((a, b) => b.size - a.size);
  }

  /** Plans the runtime files and the deletions, and writes the output. */
  async finish(): Promise<void> {
    const { sources, listed } = this.listing;
    const sink = new Sink();
    try {
      const { imports, formatter, javaScript, prune, timings } = this.options;
      const targets = [...this.#settings.values()].flatMap(
        ({ target }) => target,
      );
      const runtimes = { imports, formatter, javaScript, prune, targets };
      const needed = runtimesOfRun(this.session, runtimes);
      const names = sources.map(({ name }) => name);
      this.session.dropStale(listed, names, sink, this.#isWholeOutput());
      await planRuntimes(this.session, needed, runtimes, sink);
      dropUnusedRuntimes(this.session, runtimes, sink);
      timed(timings, "write", () => this.session.write(sink));
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
  }

  /**
   * Returns true if the run generated all APIs that the output must contain.
   */
  #isWholeOutput(): boolean {
    return (
      this.options.isComplete === true &&
      !this.diagnostics.some(({ severity }) => severity === "error")
    );
  }
}

/** Returns the size of a file in bytes; 0 if it can't be read. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

function originOf({ spec, name }: Source, inputs: string): Origin {
  return { spec, name, inputs };
}
