import runtimeSources, { fingerprint } from "#built/runtime.js";
import { locate } from "./diagnostics/locate.js";
import { Sink } from "./diagnostics/sink.js";
import type { Diagnostic } from "./diagnostics/types.js";
import { reportFailure } from "./failure.js";
import { loadBytes, readBytes } from "./load/load.js";
import { listSources, type Listing, type Source } from "./load/sources.js";
import { buildApi } from "./model/build/api.js";
import type { Api } from "./model/ir.js";
import type { Engine } from "./render/engine.js";
import type { OutputFile, Target, TargetOptions } from "./targets/target.js";
import { hash } from "./write/manifest.js";
import { Listed, type Origin } from "./write/origin.js";
import type { GroupPlan } from "./write/plan.js";
import { OutputSession, type SessionOptions } from "./write/session.js";

/** What a run is asked to do. */
export interface PipelineOptions {
  readonly specs: readonly string[];
  readonly cwd: string;
  readonly session: SessionOptions;
  readonly targets: readonly Target[];
  readonly target: TargetOptions;
  /** Renders views; made late, since an unchanged output needs none. */
  readonly engine: () => Engine;
  /** Changes the text of a file before it is compared, e.g. by a formatter. */
  readonly format?: (file: OutputFile) => Promise<string>;
  /** Hash of all options that decide output. */
  readonly optionsHash: string;
  /** Whether infos get line and column; errors and warnings always do. */
  readonly locateInfo: boolean;
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
  const run = new Run(options, [...listing.diagnostics]);
  for (const [index, source] of listing.sources.entries()) {
    if (!(await run.document(source))) run.failed++;
    options.onProgress?.(source.name, index + 1, listing.sources.length);
  }
  await run.finish(listing);
  return {
    plans: run.session.plans,
    diagnostics: run.diagnostics,
    total: listing.sources.length,
    failed: run.failed,
  };
}

class Run {
  readonly session: OutputSession;
  failed = 0;
  readonly #inputs: string;
  #engine: Engine | undefined;

  constructor(
    readonly options: PipelineOptions,
    readonly diagnostics: Diagnostic[],
  ) {
    this.session = new OutputSession(options.session);
    this.#inputs = hash(fingerprint, options.optionsHash);
    this.diagnostics.push(...this.session.diagnostics);
  }

  /** Handles one document; false where it gave no output. Never throws. */
  async document(source: Source): Promise<boolean> {
    const sink = new Sink(source.name);
    let text: string | undefined;
    let isDone = false;
    try {
      const bytes = readBytes(source, sink);
      if (bytes !== undefined)
        isDone = await this.#generate(source, bytes, sink, (found) => {
          text = found;
        });
    } catch (error) {
      reportFailure(error, sink);
    }
    this.#locate(sink, text);
    return isDone && !sink.failed;
  }

  async #generate(
    source: Source,
    bytes: Buffer,
    sink: Sink,
    onText: (text: string) => void,
  ): Promise<boolean> {
    const inputs = hash(this.#inputs, bytes);
    const origin: Origin = { spec: source.spec, name: source.name, inputs };
    const kept = this.session.keep(origin, sink);
    if (kept !== undefined) return kept;
    const { text, document } = loadBytes(bytes, source.name, sink);
    if (text !== undefined) onText(text);
    if (document === undefined) return false;
    const { trustProse } = this.options.target;
    const api = buildApi(document, sink, { trustProse });
    if (sink.failed) return false;
    const files = await this.#print(api, sink);
    return !sink.failed && this.session.plan(files, origin, sink);
  }

  async #print(api: Api, sink: Sink): Promise<OutputFile[]> {
    this.#engine ??= this.options.engine();
    const engine = this.#engine;
    const files = this.options.targets.flatMap((target) =>
      target.generate({ api, engine, options: this.options.target, sink }),
    );
    return Promise.all(files.map((file) => this.#format(file)));
  }

  async #format(file: OutputFile): Promise<OutputFile> {
    const { format } = this.options;
    return format === undefined ? file : { ...file, text: await format(file) };
  }

  #locate({ diagnostics }: Sink, text: string | undefined): void {
    const isWanted = ({ severity }: Diagnostic): boolean =>
      this.options.locateInfo || severity !== "info";
    this.diagnostics.push(
      ...(text === undefined
        ? diagnostics
        : locate(diagnostics, text, isWanted)),
    );
  }

  /** The runtime, what became stale, and the writing. */
  async finish({ sources, listed }: Listing): Promise<void> {
    const sink = new Sink();
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
    for (const { runtime } of this.options.targets) {
      const folder = `runtime/${runtime}`;
      if (runtimeModule === undefined) {
        const files = runtimeFiles(runtime, folder, importSuffix);
        const texts = files.map((file) => this.#format(file));
        this.session.planRuntime(folder, await Promise.all(texts), sink);
      } else if (this.session.isWhole) this.session.dropRuntime(folder, sink);
    }
  }
}

function runtimeFiles(
  runtime: string,
  folder: string,
  suffix: string,
): OutputFile[] {
  return Object.entries(runtimeSources[runtime] ?? {}).map(([name, text]) => ({
    path: `${folder}/${name}`,
    text: withSuffix(text, suffix),
  }));
}

/** Rewrites the `.js` of relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}
