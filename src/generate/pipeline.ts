import { fingerprint, version } from "#built/runtime.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { readBytes } from "../load/load.js";
import { listSources, type Listing, type Source } from "../load/sources.js";
import { hash } from "../platform/hash.js";
import { targetsIn } from "../targets/index.js";
import { isRuntime } from "../write/manifest.js";
import { OutputSession, type SessionOptions } from "../write/output-session.js";
import type { GroupPlan } from "../write/plan.js";
import type { Origin } from "../write/source-paths.js";
import type { ApiSettings, SpecSettings } from "./api-settings.js";
import { reportFailure } from "./failures.js";
import { inputsHash } from "./inputs-hash.js";
import {
  generateApi,
  hasTargets,
  type ApiOutput,
  type GenerateContext,
} from "./generate-api.js";
import type { GenerationWorker } from "./generation-worker.js";
import { dropUnusedRuntimes, planRuntimes } from "./runtime-folders.js";
import { timed } from "./timings.js";

export { isChange, type Action, type GroupPlan } from "../write/plan.js";

/**
 * Minimum number of documents for which a worker saves more time than it takes
 * to start.
 */
const MIN_WORKER_DOCUMENTS = 16;

/** Options of a run. */
export interface PipelineOptions extends Omit<
  GenerateContext,
  "existingTargets"
> {
  readonly specs: readonly SpecSettings[];
  readonly cwd: string;
  readonly session: SessionOptions;
  /** Removes the output of targets that are not requested. */
  readonly prune: boolean;
  /** Hash of the run's options that affect the output. */
  readonly optionsHash: string;
  /**
   * True if a worker can generate the same output. Workers support neither user
   * templates nor a formatter.
   */
  readonly isThreadable?: boolean;
  /**
   * True if `specs` are all documents of the output. If all of them are
   * generated, other APIs in the output are deleted.
   */
  readonly isWhole?: boolean;
  /** Called after each document. */
  readonly onProgress?: (name: string, done: number, total: number) => void;
}

/** Result of a run. With `check` and `dry-run`, no files were written. */
export interface PipelineResult {
  readonly plans: readonly GroupPlan[];
  readonly diagnostics: readonly Diagnostic[];
  /** Number of sources. */
  readonly total: number;
  /** Number of sources without output. */
  readonly failed: number;
}

/**
 * Runs all stages: list → read → (unchanged? reuse) → check → model → render →
 * format → plan for each document, and then writes all output at once.
 */
export async function runPipeline(
  options: PipelineOptions,
): Promise<PipelineResult> {
  const specs = options.specs.map(({ spec }) => spec);
  const { timings, cwd } = options;
  const listing = await timed(timings, "list", () => listSources(specs, cwd));
  const run = new Run(options, listing);
  const { length: total } = listing.sources;
  for (const [index, source] of listing.sources.entries()) {
    if (!(await run.document(source, index))) run.failed++;
    options.onProgress?.(source.name, index + 1, total);
  }
  await run.finish(listing);
  const { diagnostics, session } = run;
  const failed = run.failed + session.withdrawn;
  return { plans: session.plans, diagnostics, total, failed };
}

class Run {
  readonly session: OutputSession;
  readonly diagnostics: Diagnostic[] = [];
  failed = 0;
  readonly #hashSeed: string;
  readonly #settings: ReadonlyMap<string, ApiSettings>;
  readonly #context: GenerateContext;
  #worker: GenerationWorker | undefined;
  #isWorkerStarted = false;

  constructor(
    readonly options: PipelineOptions,
    readonly listing: Listing,
  ) {
    this.session = new OutputSession(options.session);
    const existingTargets = options.prune ? {} : this.#existingTargets();
    this.#context = { ...options, existingTargets };
    this.#settings = new Map(
      options.specs.map(({ spec, settings }) => [spec, settings]),
    );
    this.#hashSeed = hash(version, fingerprint, options.optionsHash);
    this.diagnostics.push(...listing.diagnostics, ...this.session.diagnostics);
  }

  /** Returns the targets of the existing output by API folder. */
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

  /** Generates a document; returns false if it has no output. Never throws. */
  async document(source: Source, index: number): Promise<boolean> {
    const sink = new Sink(source.name);
    let isDone = false;
    try {
      isDone =
        (await this.#takeWorkerResult(source, index, sink)) ??
        (await this.#generate(source, sink));
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
    return isDone && !sink.hasErrors;
  }

  /**
   * Plans the result of the worker. Returns undefined if the main thread must
   * generate the document.
   */
  async #takeWorkerResult(
    source: Source,
    index: number,
    sink: Sink,
  ): Promise<boolean | undefined> {
    const result = await this.#worker?.result(index);
    if (result?.output === undefined) return undefined;
    return this.#plan(source, result.inputs, result.output, sink);
  }

  async #generate(source: Source, sink: Sink): Promise<boolean> {
    const { timings } = this.options;
    const bytes = timed(timings, "read", () => readBytes(source, sink));
    if (bytes === undefined) return false;
    const settings = this.#settingsOf(source);
    const inputs = inputsHash(this.#hashSeed, settings, bytes);
    const isReused = await timed(timings, "plan", () =>
      this.#reuse(source, inputs, sink),
    );
    if (isReused !== undefined) return isReused;
    await this.#startWorker();
    const output = await generateApi(
      bytes,
      source.name,
      settings,
      this.#context,
    );
    return this.#plan(source, inputs, output, sink);
  }

  /**
   * Reuses existing output. Returns undefined if the document must be
   * generated.
   */
  async #reuse(
    source: Source,
    inputs: string,
    sink: Sink,
  ): Promise<boolean | undefined> {
    const cached = this.session.cachedOutput(inputs);
    if (cached === undefined) return undefined;
    const settings = this.#settingsOf(source);
    if (!hasTargets(cached, settings, this.#context)) return undefined;
    const paths = Object.keys(cached.files).map(
      (name) => `${cached.folder}/${name}`,
    );
    const style = await this.#context.formatter?.styleOf(paths);
    return style === cached.style
      ? this.session.reuse(cached, originOf(source, inputs), sink)
      : undefined;
  }

  async #plan(
    source: Source,
    inputs: string,
    { files, targets, diagnostics }: ApiOutput,
    sink: Sink,
  ): Promise<boolean> {
    this.diagnostics.push(...diagnostics);
    if (files === undefined) return false;
    const { formatter } = this.#context;
    const style = await formatter?.styleOf(files.map(({ path }) => path));
    const isStable = formatter === undefined || style !== undefined;
    const output = { files, targets, style, isStable };
    return timed(this.options.timings, "plan", () =>
      this.session.plan(output, originOf(source, inputs), sink),
    );
  }

  /**
   * Starts the worker when the first document must be generated, if there are
   * enough documents.
   */
  async #startWorker(): Promise<void> {
    const { sources } = this.listing;
    if (
      this.#isWorkerStarted ||
      sources.length < MIN_WORKER_DOCUMENTS ||
      this.options.isThreadable !== true
    )
      return;
    this.#isWorkerStarted = true;
    const { GenerationWorker } = await import("./generation-worker.js");
    const { imports, existingTargets, locateInfo } = this.#context;
    this.#worker = GenerationWorker.start(sources, {
      settings: sources.map((source) => this.#settingsOf(source)),
      imports,
      existingTargets,
      locateInfo,
      hashSeed: this.#hashSeed,
      cachedOutputs: this.session.cachedOutputs(),
    });
  }

  /**
   * Plans the files of the runtimes and the deletions, and writes the output.
   */
  async finish({ sources, listed }: Listing): Promise<void> {
    const sink = new Sink();
    await this.#worker?.stop();
    try {
      const { imports, formatter, prune, timings } = this.options;
      const targets = [...this.#settings.values()].flatMap(
        ({ target }) => target,
      );
      const runtimes = { imports, formatter, prune, targets };
      await planRuntimes(this.session, runtimes, sink);
      const names = sources.map(({ name }) => name);
      this.session.dropStale(listed, names, sink, this.#isWholeOutput());
      dropUnusedRuntimes(this.session, runtimes, sink);
      timed(timings, "write", () => this.session.write(sink));
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
  }

  /** Returns whether the run generated all that the output must contain. */
  #isWholeOutput(): boolean {
    return (
      this.options.isWhole === true &&
      !this.diagnostics.some(({ severity }) => severity === "error")
    );
  }
}

function originOf({ spec, name }: Source, inputs: string): Origin {
  return { spec, name, inputs };
}
