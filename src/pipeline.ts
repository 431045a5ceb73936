import runtimeSources, { fingerprint } from "#built/runtime.js";
import { locate } from "./diagnostics/locate.js";
import { Sink } from "./diagnostics/sink.js";
import type { Diagnostic } from "./diagnostics/types.js";
import { loadBytes, readBytes } from "./load/load.js";
import { listSources, type Source } from "./load/sources.js";
import { buildApi } from "./model/build/api.js";
import type { Api } from "./model/ir.js";
import type { Engine } from "./render/engine.js";
import type { OutputFile, Target, TargetOptions } from "./targets/target.js";
import { OutputSession, type SessionOptions } from "./write/session.js";
import { hash } from "./write/manifest.js";
import type { GroupPlan } from "./write/plan.js";

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
  /** Diagnostics of this severity and above get line and column. */
  readonly locateInfo: boolean;
  readonly onApi?: (name: string) => void;
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
  const { sources, listed, diagnostics } = await listSources(
    options.specs,
    options.cwd,
  );
  const run = new Run(options, [...diagnostics]);
  for (const source of sources) {
    const done = await run.document(source);
    if (!done) run.failed++;
    options.onApi?.(source.name);
  }
  await run.finish(sources, listed);
  return {
    plans: run.session.plans,
    diagnostics: run.diagnostics,
    total: sources.length,
    failed: run.failed,
  };
}

class Run {
  readonly session: OutputSession;
  failed = 0;
  #engine: Engine | undefined;

  constructor(
    readonly options: PipelineOptions,
    readonly diagnostics: Diagnostic[],
  ) {
    this.session = new OutputSession({
      ...options.session,
      generator: fingerprint,
      options: options.optionsHash,
    });
    this.diagnostics.push(...this.session.diagnostics);
  }

  /** Handles one document; false where it gave no output. */
  async document(source: Source): Promise<boolean> {
    const sink = new Sink(source.name);
    const bytes = readBytes(source, sink);
    const sourceHash = bytes === undefined ? "" : hash(bytes);
    if (bytes !== undefined && this.session.isUnchanged(sourceHash)) {
      return this.#close(sink, undefined, this.session.keep(sourceHash, sink));
    }
    const loaded =
      bytes === undefined ? undefined : loadBytes(bytes, source.name, sink);
    if (loaded?.document === undefined) {
      this.session.keepFailed(source.name);
      return this.#close(sink, loaded?.text, false);
    }
    const api = buildApi(loaded.document, sink, {
      trustProse: this.options.target.trustProse,
    });
    const files = sink.failed ? undefined : await this.#print(api, sink);
    const origin = { spec: source.spec, name: source.name, hash: sourceHash };
    const planned =
      files !== undefined && this.session.plan(files, origin, sink);
    if (!planned) this.session.keepFailed(source.name);
    return this.#close(sink, loaded.text, planned);
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

  #close(sink: Sink, text: string | undefined, done: boolean): boolean {
    const wanted = this.options.locateInfo
      ? sink.diagnostics
      : sink.diagnostics.filter(({ severity }) => severity !== "info");
    const rest = this.options.locateInfo
      ? []
      : sink.diagnostics.filter(({ severity }) => severity === "info");
    this.diagnostics.push(
      ...(text === undefined ? wanted : locate(wanted, text)),
      ...rest,
    );
    return done && !sink.failed;
  }

  /** The runtime, what became stale, and the writing. */
  async finish(
    sources: readonly Source[],
    listed: ReadonlySet<string>,
  ): Promise<void> {
    const sink = new Sink();
    if (
      this.session.hasApis &&
      this.options.target.runtimeModule === undefined
    ) {
      for (const target of this.options.targets)
        await this.#planRuntime(target, sink);
    }
    this.session.dropStale(listed, new Set(sources.map(({ name }) => name)));
    this.session.write(sink);
    this.diagnostics.push(...sink.diagnostics);
  }

  async #planRuntime(target: Target, sink: Sink): Promise<void> {
    const sources = runtimeSources[target.runtime] ?? {};
    const files = Object.entries(sources).map(([name, text]) => ({
      path: `runtime/${target.runtime}/${name}`,
      text: withSuffix(text, this.options.target.importSuffix),
    }));
    this.session.planRuntime(
      `runtime/${target.runtime}`,
      await Promise.all(files.map((file) => this.#format(file))),
      sink,
    );
  }
}

/** Rewrites the `.js` of relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}
