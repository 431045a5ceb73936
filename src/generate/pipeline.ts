import { fingerprint, version } from "#built/runtime.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { reportFailure } from "./failures.js";
import type { GenerationWorker } from "./generation-worker.js";
import { readBytes } from "../load/load.js";
import { listSources, type Listing, type Source } from "../load/sources.js";
import {
  formatAll,
  namesOf,
  generateApi,
  targetsFor,
  type ApiOutput,
  type GenerateContext,
} from "./generate-api.js";
import { runtimesOf, targetsIn, targetsOf } from "../targets/index.js";
import { runtimeFiles } from "./runtime-files.js";
import { hash } from "../platform/hash.js";
import type { KnownOutput } from "../write/known-output.js";
import type { Origin } from "../write/origin.js";
import type { GroupPlan } from "../write/plan.js";
import {
  isRuntime,
  OutputSession,
  type SessionOptions,
} from "../write/session.js";
import { digestOf } from "../write/source-digest.js";

export { isChange, type Action, type GroupPlan } from "../write/plan.js";

/** Documents for which a second thread pays; it takes some time to start. */
const WORTHWHILE = 16;

/** What a run is asked to do. */
export interface PipelineOptions extends Omit<GenerateContext, "kept"> {
  readonly specs: readonly string[];
  readonly cwd: string;
  readonly session: SessionOptions;
  /** Remove the output of targets that are not asked for. */
  readonly prune: boolean;
  /** Hash of all options that decide output. */
  readonly optionsHash: string;
  /** Whether a second thread would do the same: it has no templates but ours. */
  readonly isThreadable?: boolean;
  /** Called after each document. */
  readonly onProgress?: (name: string, done: number, total: number) => void;
}

/** What a run did, or would do. */
export interface PipelineResult {
  readonly plans: readonly GroupPlan[];
  readonly diagnostics: readonly Diagnostic[];
  /** Sources read, and those that gave no output. */
  readonly total: number;
  readonly failed: number;
}

/**
 * The whole story: list → read → (unchanged? done) → check → model → render →
 * format → plan, document by document, and then write everything at once.
 */
export async function runPipeline(
  options: PipelineOptions,
): Promise<PipelineResult> {
  const listing = await listSources(options.specs, options.cwd);
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
  readonly #inputs: string;
  readonly #work: GenerateContext;
  #helper: GenerationWorker | undefined;
  #isHelperTried = false;

  constructor(
    readonly options: PipelineOptions,
    readonly listing: Listing,
  ) {
    this.session = new OutputSession(options.session);
    this.#work = { ...options, kept: options.prune ? {} : this.#kept() };
    this.#inputs = hash(version, fingerprint, options.optionsHash);
    this.diagnostics.push(...listing.diagnostics, ...this.session.diagnostics);
  }

  /** Targets of the output as it is. */
  #kept(): Record<string, readonly string[]> {
    const apis = Object.entries(this.session.before).filter(
      ([folder]) => !isRuntime(folder),
    );
    return Object.fromEntries(
      apis.map(([folder, { files }]) => [folder, targetsIn(files)]),
    );
  }

  /** Handles one document; false where it gave no output. Never throws. */
  async document(source: Source, index: number): Promise<boolean> {
    const sink = new Sink(source.name);
    let isDone = false;
    try {
      isDone =
        (await this.#withHelper(source, index, sink)) ??
        (await this.#alone(source, sink));
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
    return isDone && !sink.failed;
  }

  /** Undefined where the main thread has to do the work. */
  async #withHelper(
    source: Source,
    index: number,
    sink: Sink,
  ): Promise<boolean | undefined> {
    const result = await this.#helper?.result(index);
    if (result?.output === undefined) return undefined;
    return this.#plan(source, result.inputs, result.output, sink);
  }

  async #alone(source: Source, sink: Sink): Promise<boolean> {
    const bytes = readBytes(source, sink);
    if (bytes === undefined) return false;
    const inputs = hash(this.#inputs, digestOf(bytes));
    const kept = await this.#keep(source, inputs, sink);
    if (kept !== undefined) return kept;
    await this.#callHelper();
    const production = await generateApi(bytes, source.name, this.#work);
    return this.#plan(source, inputs, production, sink);
  }

  /** Takes over what is there; undefined where it has to be made. */
  async #keep(
    source: Source,
    inputs: string,
    sink: Sink,
  ): Promise<boolean | undefined> {
    const known = this.session.known(inputs);
    if (known === undefined || !this.#isUsable(known)) return undefined;
    const paths = Object.keys(known.files).map(
      (name) => `${known.folder}/${name}`,
    );
    const style = await this.#work.formatter?.styleOf(paths);
    return style === known.style
      ? this.session.keep(known, originOf(source, inputs), sink)
      : undefined;
  }

  /** Whether the same targets were printed that would be now. */
  #isUsable({ folder, targets }: KnownOutput): boolean {
    const wanted = namesOf(targetsFor(folder, this.#work));
    return wanted.join() === targets.join();
  }

  async #plan(
    source: Source,
    inputs: string,
    { files, targets, diagnostics }: ApiOutput,
    sink: Sink,
  ): Promise<boolean> {
    this.diagnostics.push(...diagnostics);
    if (files === undefined) return false;
    const { formatter } = this.#work;
    const style = await formatter?.styleOf(files.map(({ path }) => path));
    const isStable = formatter === undefined || style !== undefined;
    const output = { files, targets, style, isStable };
    return this.session.plan(output, originOf(source, inputs), sink);
  }

  /** The second thread starts when it is certain that there is work. */
  async #callHelper(): Promise<void> {
    const { sources } = this.listing;
    const isWorthwhile = sources.length >= WORTHWHILE;
    if (
      this.#isHelperTried ||
      !isWorthwhile ||
      this.options.isThreadable !== true
    )
      return;
    this.#isHelperTried = true;
    const { GenerationWorker } = await import("./generation-worker.js");
    const { targets, target, kept, locateInfo } = this.#work;
    this.#helper = GenerationWorker.start(sources, {
      targets: namesOf(targets),
      target,
      kept,
      locateInfo,
      inputs: this.#inputs,
      known: this.session.knownInputs((known) => this.#isUsable(known)),
    });
  }

  /** The runtime, what became stale, and the writing. */
  async finish({ sources, listed }: Listing): Promise<void> {
    const sink = new Sink();
    await this.#helper?.stop();
    try {
      const needed = this.#runtimes();
      if (this.session.groups.size > 0) await this.#planRuntimes(needed, sink);
      const names = sources.map(({ name }) => name);
      this.session.dropStale(listed, names, sink);
      this.#dropRuntimes(sink);
      this.session.write(sink);
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
  }

  /** Folders of the runtime that the APIs of the output import from. */
  #runtimes(): Set<string> {
    const apis = [...this.session.groups].filter(
      ([folder]) => !isRuntime(folder),
    );
    const names = apis.flatMap(([, { files }]) => targetsIn(files));
    const asked = namesOf(this.options.targets);
    return runtimesOf(targetsOf([...asked, ...names]));
  }

  async #planRuntimes(needed: ReadonlySet<string>, sink: Sink): Promise<void> {
    const { runtimeModule, importSuffix } = this.options.target;
    if (runtimeModule !== undefined) return;
    for (const runtime of needed) {
      const folder = `runtime/${runtime}`;
      const files = await runtimeFiles(runtime, folder, importSuffix);
      const formatted = await formatAll(files, this.options);
      this.session.planRuntime(folder, formatted, sink);
    }
  }

  /** Removes copies of the runtime that nothing imports any more. */
  #dropRuntimes(sink: Sink): void {
    const { prune, target } = this.options;
    const isImported = target.runtimeModule !== undefined;
    if (!prune && !isImported) return;
    if (isImported && !this.session.isWhole) return;
    const needed = isImported ? new Set<string>() : this.#runtimes();
    for (const folder of Object.keys(this.session.before).filter(isRuntime))
      if (!needed.has(folder.slice("runtime/".length)))
        this.session.dropRuntime(folder, sink);
  }
}

function originOf({ spec, name }: Source, inputs: string): Origin {
  return { spec, name, inputs };
}
