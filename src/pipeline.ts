import { fingerprint } from "#built/runtime.js";
import { Sink } from "./diagnostics/sink.js";
import type { Diagnostic } from "./diagnostics/types.js";
import { reportFailure } from "./failure.js";
import type { Helper } from "./helper.js";
import { readBytes } from "./load/load.js";
import { listSources, type Listing, type Source } from "./load/sources.js";
import { formatAll, produce, type Production, type Work } from "./produce.js";
import { UNLINTED } from "./render/code.js";
import { runtimeSources } from "./targets/runtimes.js";
import type { OutputFile } from "./targets/target.js";
import { hash } from "./write/manifest.js";
import { Listed, type Origin } from "./write/origin.js";
import type { GroupPlan } from "./write/plan.js";
import { OutputSession, type SessionOptions } from "./write/session.js";

/** Documents for which a second thread pays; it takes some time to start. */
const WORTHWHILE = 16;

/** What a run is asked to do. */
export interface PipelineOptions extends Work {
  readonly specs: readonly string[];
  readonly cwd: string;
  readonly session: SessionOptions;
  /** Hash of all options that decide output. */
  readonly optionsHash: string;
  /** Whether a second thread would do the same: it has no templates but ours. */
  readonly canHelp?: boolean;
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
  const { failed, diagnostics, session } = run;
  return { plans: session.plans, diagnostics, total, failed };
}

class Run {
  readonly session: OutputSession;
  readonly diagnostics: Diagnostic[] = [];
  failed = 0;
  readonly #inputs: string;
  #helper: Helper | undefined;
  #isHelperTried = false;

  constructor(
    readonly options: PipelineOptions,
    readonly listing: Listing,
  ) {
    this.session = new OutputSession(options.session);
    this.#inputs = hash(fingerprint, options.optionsHash);
    this.diagnostics.push(...listing.diagnostics, ...this.session.diagnostics);
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
    if (result?.production === undefined) return undefined;
    return this.#plan(source, result.inputs, result.production, sink);
  }

  async #alone(source: Source, sink: Sink): Promise<boolean> {
    const bytes = readBytes(source, sink);
    if (bytes === undefined) return false;
    const inputs = hash(this.#inputs, bytes);
    const kept = this.session.keep(originOf(source, inputs), sink);
    if (kept !== undefined) return kept;
    await this.#callHelper();
    const production = await produce(bytes, source.name, this.options);
    return this.#plan(source, inputs, production, sink);
  }

  #plan(
    source: Source,
    inputs: string,
    { files, diagnostics }: Production,
    sink: Sink,
  ): boolean {
    this.diagnostics.push(...diagnostics);
    if (files === undefined) return false;
    return this.session.plan(files, originOf(source, inputs), sink);
  }

  /** The second thread starts when it is certain that there is work. */
  async #callHelper(): Promise<void> {
    const { sources } = this.listing;
    const isWorthwhile = sources.length >= WORTHWHILE;
    if (this.#isHelperTried || !isWorthwhile || this.options.canHelp !== true)
      return;
    this.#isHelperTried = true;
    const { Helper } = await import("./helper.js");
    const { targets, target, locateInfo } = this.options;
    this.#helper = Helper.start(sources, {
      targets: targets.map(({ name }) => name),
      target,
      locateInfo,
      inputs: this.#inputs,
      known: this.session.known,
    });
  }

  /** The runtime, what became stale, and the writing. */
  async finish({ sources, listed }: Listing): Promise<void> {
    const sink = new Sink();
    await this.#helper?.stop();
    try {
      await this.#planRuntimes(sink);
      const names = sources.map(({ name }) => name);
      this.session.dropStale(new Listed(listed, names), sink);
      this.session.write(sink);
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
  }

  async #planRuntimes(sink: Sink): Promise<void> {
    const { runtimeModule, importSuffix } = this.options.target;
    if (!this.session.hasApis) return;
    for (const runtime of runtimesOf(this.options.targets)) {
      const folder = `runtime/${runtime}`;
      if (runtimeModule === undefined) {
        const files = await runtimeFiles(runtime, folder, importSuffix);
        const formatted = await formatAll(files, this.options);
        this.session.planRuntime(folder, formatted, sink);
      } else if (this.session.isWhole) this.session.dropRuntime(folder, sink);
    }
  }
}

/** Folders of the runtime that the output imports from, each once. */
function runtimesOf(targets: PipelineOptions["targets"]): Set<string> {
  return new Set(
    targets.flatMap(({ runtime, borrows = [] }) => [runtime, ...borrows]),
  );
}

function originOf({ spec, name }: Source, inputs: string): Origin {
  return { spec, name, inputs };
}

async function runtimeFiles(
  runtime: string,
  folder: string,
  suffix: string,
): Promise<OutputFile[]> {
  const sources = await runtimeSources(runtime);
  return Object.entries(sources).map(([name, text]) => ({
    path: `${folder}/${name}`,
    text: `${UNLINTED}\n\n${withSuffix(text, suffix)}`,
  }));
}

/** Rewrites the `.js` of relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}
