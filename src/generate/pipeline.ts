import path from "node:path";
import { fingerprint, version } from "#built/runtime.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { readBytes } from "../load/load.js";
import { type Listing, listSources, type Source } from "../load/sources.js";
import { hash } from "../platform/hash.js";
import { targetsIn, targetsOf } from "../targets/index.js";
import { isRuntime } from "../write/manifest.js";
import { OutputSession } from "../write/output-session.js";
import type { GroupPlan } from "../write/plan.js";
import { type ApiSettings, settingsHash } from "./api-settings.js";
import { reportFailure } from "./failures.js";
import { generateApi, type GenerateContext } from "./generate-api.js";
import { remoteResolver } from "./remote-sources.js";
import type { Settings } from "./run-settings.js";
import {
  dropUnusedRuntimes,
  neededRuntimes,
  planRuntimes,
} from "./runtime-folders.js";
import { timed } from "./timings.js";

export { isChange, type Action, type GroupPlan } from "../write/plan.js";

/** Parts of a run that are derived from its settings and the user's files. */
export interface RunContext extends Pick<
  GenerateContext,
  "imports" | "engine" | "formatter" | "javaScript"
> {
  /** Hash of the run's options and of the user's files that affect the output. */
  readonly optionsHash: string;
}

/** Result of a run. With `check` and `dry-run`, no files are written. */
export interface PipelineResult {
  readonly plans: readonly GroupPlan[];
  readonly diagnostics: readonly Diagnostic[];
  /** Number of documents in the run. */
  readonly total: number;
  /** Number of documents for which no output was generated. */
  readonly failed: number;
  /**
   * Names of documents that failed by themselves, with their findings. Absent
   * documents failed because of the run, or are part of `failed` only because
   * of conflicts with others.
   */
  readonly failures?: ReadonlyMap<string, readonly Diagnostic[]>;
}

/**
 * Runs all stages: lists the documents; for each document, skips it if its
 * inputs and output are unchanged, otherwise generates its files and compares
 * them with the output; then writes all changes.
 */
export async function runPipeline(
  settings: Settings,
  context: RunContext,
): Promise<PipelineResult> {
  const { specs, cwd, out, remote, timings, onProgress } = settings;
  const folder = path.resolve(cwd, out);
  const listing = await timed(timings, "list", () =>
    listSources(
      specs.map(({ spec }) => spec),
      cwd,
      remoteResolver(remote ?? {}, folder),
    ),
  );
  const session = new OutputSession({ ...settings, out: folder });
  const run = new Run(settings, context, listing, session);
  const { length: total } = listing.sources;
  for (const [index, source] of listing.sources.entries()) {
    await run.addDocument(source);
    onProgress?.(source.name, index + 1, total);
  }
  await run.finish();
  const { diagnostics, failures } = run;
  const failed = failures.size + session.withdrawn;
  return { plans: session.plans, diagnostics, total, failed, failures };
}

class Run {
  readonly diagnostics: Diagnostic[];
  /** Findings about documents for which no output was planned, by name. */
  readonly failures = new Map<string, readonly Diagnostic[]>();
  readonly #apiSettings: ReadonlyMap<string, ApiSettings>;
  readonly #context: GenerateContext;
  readonly #hashSeed: string;

  constructor(
    readonly settings: Settings,
    context: RunContext,
    readonly listing: Listing,
    readonly session: OutputSession,
  ) {
    this.diagnostics = [...listing.diagnostics, ...session.diagnostics];
    this.#apiSettings = new Map(
      settings.specs.map(({ spec, settings: api }) => [spec, api]),
    );
    const { showsInfo, timings } = settings;
    const existingTargets = this.#existingTargets();
    this.#context = { ...context, existingTargets, showsInfo, timings };
    this.#hashSeed = hash(version, fingerprint, context.optionsHash);
  }

  /** Returns the targets of the existing output, keyed by API folder. */
  #existingTargets(): Record<string, readonly string[]> {
    if (this.settings.prune) return {};
    const apis = Object.entries(this.session.before).filter(
      ([folder]) => !isRuntime(folder),
    );
    return Object.fromEntries(
      apis.map(([folder, { files }]) => [folder, targetsIn(files)]),
    );
  }

  /** Plans the output of a document. An error does not stop the run. */
  async addDocument(source: Source): Promise<void> {
    const sink = new Sink(source.name);
    let isPlanned = false;
    try {
      isPlanned = await this.#plan(source, sink);
    } catch (error) {
      reportFailure(error, sink);
    }
    this.diagnostics.push(...sink.diagnostics);
    if (!isPlanned || sink.hasErrors)
      this.failures.set(source.name, sink.diagnostics);
  }

  async #plan(source: Source, sink: Sink): Promise<boolean> {
    const { session } = this;
    const { timings } = this.settings;
    const bytes = timed(timings, "read", () => readBytes(source, sink));
    if (bytes === undefined) return false;
    const settings = this.#apiSettings.get(source.spec)!;
    const inputs = hash(this.#hashSeed, settingsHash(settings), bytes);
    const unchanged = await timed(timings, "plan", () =>
      this.#unchangedFolder(inputs, settings),
    );
    if (unchanged !== undefined) return session.reuse(unchanged, source, sink);
    const { files, diagnostics } = await generateApi(
      bytes,
      source.name,
      settings,
      this.#context,
    );
    sink.diagnostics.push(...diagnostics);
    if (files === undefined) return false;
    const isRepeated = diagnostics.some(({ severity }) => severity !== "info");
    const style = await this.#styleOf(files.map(({ path: name }) => name));
    const isReusable = !isRepeated && style !== undefined;
    return timed(timings, "plan", () =>
      session.plan(
        files,
        source,
        isReusable ? inputs + style : undefined,
        sink,
      ),
    );
  }

  /**
   * Returns the folder of the output that an earlier run generated from the same
   * inputs, if its files are unchanged. `--check` renders everything, because a
   * repository can contain any manifest. So does a run that shows info findings.
   */
  async #unchangedFolder(
    inputs: string,
    { target }: ApiSettings,
  ): Promise<string | undefined> {
    const { mode, showsInfo } = this.settings;
    if (mode === "check" || showsInfo) return undefined;
    const folder = this.session.folderOf(inputs);
    if (folder === undefined) return undefined;
    const group = this.session.before[folder]!;
    const existing = targetsIn(group.files);
    const expected = this.settings.prune ? target : [...target, ...existing];
    if (targetsOf(expected).length !== targetsOf(existing).length)
      return undefined;
    const names = Object.keys(group.files).map((name) => `${folder}/${name}`);
    const style = await this.#styleOf(names);
    return group.inputs === inputs + style && this.session.isIntact(folder)
      ? folder
      : undefined;
  }

  /**
   * Returns a suffix of the hash of inputs for the formatter settings that apply
   * to files: empty without a formatter, and undefined if the settings can't be
   * hashed.
   */
  async #styleOf(paths: readonly string[]): Promise<string | undefined> {
    const { formatter } = this.#context;
    if (formatter === undefined) return "";
    const style = await formatter.styleOf(paths);
    return style === undefined ? undefined : `.${style}`;
  }

  /** Plans the runtime files and the deletions, and writes the output. */
  async finish(): Promise<void> {
    const { session } = this;
    const { sources, listed } = this.listing;
    const { imports, formatter, javaScript } = this.#context;
    const { auth, prune, timings } = this.settings;
    const targets = [...this.#apiSettings.values()].flatMap(
      ({ target }) => target,
    );
    const runtimes = { imports, formatter, javaScript, auth, prune, targets };
    const sink = new Sink();
    try {
      const needed = [...neededRuntimes(session, runtimes).keys()];
      const names = sources.map(({ name }) => name);
      session.dropStale(listed, names, sink, this.#isWholeOutput());
      await planRuntimes(session, needed, runtimes, sink);
      dropUnusedRuntimes(session, runtimes, sink);
      timed(timings, "write", () => session.write(sink));
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
      this.settings.isComplete === true &&
      !this.diagnostics.some(({ severity }) => severity === "error")
    );
  }
}
