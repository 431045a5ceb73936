// This file is longer than others because planning, reusing and dropping output
// share the state of one run.

import { existsSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { FolderClaims } from "./folder-claims.js";
import { OutputFolder } from "./output-folder.js";
import {
  hasSameFiles,
  OutputCache,
  type CachedOutput,
} from "./output-cache.js";
import { isRuntime, type ManifestGroup } from "./manifest.js";
import {
  ListedDocuments,
  SourcePaths,
  type Origin,
  type SourceRecord,
} from "./source-paths.js";
import {
  hashesOf,
  isIntact,
  planGroup,
  reportObstacles,
  unchangedPlan,
  withoutTexts,
  type GroupPlan,
} from "./plan.js";

/** Options of a run that concern its output folder. */
export interface SessionOptions {
  readonly out: string;
  /** Folder that relative paths of sources refer to. */
  readonly cwd: string;
  /** `write` changes files; `check` and `dry-run` only compare. */
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
}

/** File to write. Its path is relative to `--out`, with forward slashes. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Files of an API, and the settings that they depend on. */
export interface Output {
  readonly files: readonly TextFile[];
  readonly targets: readonly string[];
  readonly style?: string | undefined;
  /**
   * True if equal inputs produce equal output in later runs. Only such output
   * is cached.
   */
  readonly isStable: boolean;
}

/** Plans and writes the output of one run. */
export class OutputSession {
  readonly diagnostics: Diagnostic[] = [];
  readonly #options: SessionOptions;
  readonly #folder: OutputFolder;
  readonly #sourcePaths: SourcePaths;
  readonly #claims: FolderClaims;
  readonly #cache: OutputCache;
  #plans: GroupPlan[] = [];
  /** Groups that the new manifest will contain. */
  readonly #groups = new Map<string, ManifestGroup>();
  readonly #dropped = new Set<string>();
  #withdrawn = 0;
  #isComplete = true;

  constructor(options: SessionOptions) {
    const { out, cwd, mode } = options;
    this.#options = options;
    const sink = new Sink(out);
    this.#folder = new OutputFolder(out, mode !== "write", sink);
    this.#sourcePaths = new SourcePaths(out, cwd);
    const exists = (folder: string): boolean =>
      existsSync(path.join(out, folder));
    this.#claims = new FolderClaims(Object.keys(this.before).filter(exists));
    this.#cache = new OutputCache(out);
    this.diagnostics.push(...sink.diagnostics);
  }

  get plans(): readonly GroupPlan[] {
    return this.#plans;
  }

  /** Groups that the output contained before the run, by folder. */
  get before(): Readonly<Record<string, ManifestGroup>> {
    return this.#folder.before.groups;
  }

  /** Groups that the output contains after the run, by folder. */
  get groups(): ReadonlyMap<string, ManifestGroup> {
    return this.#groups;
  }

  /**
   * Returns the cached output for inputs, if the manifest still lists the same
   * files.
   */
  cachedOutput(inputs: string): CachedOutput | undefined {
    const cached = this.#cache.get(inputs);
    return cached !== undefined && this.#isUnchanged(cached)
      ? cached
      : undefined;
  }

  /**
   * Returns folder and targets of the cached outputs whose files the manifest
   * still lists, by the hash of their inputs.
   */
  cachedOutputs(): Map<string, Pick<CachedOutput, "folder" | "targets">> {
    const entries = [...this.#cache.entries()].filter(([, cached]) =>
      this.#isUnchanged(cached),
    );
    return new Map(
      entries.map(([inputs, { folder, targets }]) => [
        inputs,
        { folder, targets },
      ]),
    );
  }

  /**
   * Number of documents whose planned output was withdrawn because of a
   * conflict.
   */
  get withdrawn(): number {
    return this.#withdrawn;
  }

  /**
   * True if the run generated all APIs in the output folder. Valid after
   * `dropStale`.
   */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Reuses existing output. Returns undefined if its files were changed, and
   * false if another document claims its folder.
   */
  reuse(cached: CachedOutput, origin: Origin, sink: Sink): boolean | undefined {
    const { folder, files } = cached;
    if (!isIntact(folder, files, this.#options.out)) return undefined;
    if (!this.#claim(folder, origin, sink)) return false;
    this.#groups.set(folder, { ...this.#sourcePaths.recordOf(origin), files });
    this.#cache.put(origin.inputs, cached);
    this.#plans.push(unchangedPlan(folder, files));
    return true;
  }

  /**
   * Plans the files of an API. Returns false if existing files that were not
   * generated have the same paths.
   */
  plan(output: Output, origin: Origin, sink: Sink): boolean {
    const { files, targets, style, isStable } = output;
    const folder = files[0]!.path.split("/").slice(0, 2).join("/");
    if (!this.#claim(folder, origin, sink)) return false;
    const source = this.#sourcePaths.recordOf(origin);
    const group = this.#plan(folder, files, source, sink);
    if (group !== undefined && isStable)
      this.#cache.put(origin.inputs, {
        folder,
        targets,
        ...(style === undefined ? {} : { style }),
        files: group.files,
      });
    return group !== undefined;
  }

  /** Plans the files of a runtime. */
  planRuntime(folder: string, files: readonly TextFile[], sink: Sink): void {
    this.#plan(folder, files, {}, sink);
  }

  /** Removes an unused runtime. */
  dropRuntime(folder: string, sink: Sink): void {
    const group = this.before[folder];
    if (group === undefined) return;
    this.#groups.delete(folder);
    this.#drop(folder, group, sink);
  }

  /**
   * Removes the output of documents that were removed or that now describe
   * another API. Does not change other output.
   * @param specs arguments whose listing is complete
   * @param documents names of the listed documents
   * @param isWhole true to remove the output of all other documents too
   */
  dropStale(
    specs: Iterable<string>,
    documents: Iterable<string>,
    sink: Sink,
    isWhole = false,
  ): void {
    const listed = new ListedDocuments(this.#sourcePaths, specs, documents);
    const done = new Set(
      [...this.#groups.values()].map(({ document }) => document),
    );
    for (const [folder, group] of Object.entries(this.before)) {
      if (this.#groups.has(folder) || this.#dropped.has(folder)) continue;
      const isDisputed = this.#claims.disputed.has(folder);
      const isOther = isWhole && !isRuntime(folder);
      if (!isDisputed && (isOther || listed.isGone(group, done)))
        this.#drop(folder, group, sink);
      else {
        this.#groups.set(folder, group);
        if (!isRuntime(folder)) this.#isComplete = false;
      }
    }
  }

  /** Writes the planned files and the manifest. */
  write(sink: Sink): void {
    if (this.#groups.size === 0 && this.#plans.length === 0)
      return this.#folder.discard();
    const manifest = this.#folder.planManifest(this.#groups);
    this.#folder.commit(this.#groups, sink);
    if (this.#folder.isBroken) return;
    if (manifest !== undefined)
      this.#plans.push({ folder: "", files: [manifest] });
    if (this.#options.mode !== "dry-run") this.#cache.save(this.#groups);
  }

  /**
   * Returns whether the manifest lists exactly the files of a cached output.
   */
  #isUnchanged(cached: CachedOutput): boolean {
    const group = this.before[cached.folder];
    return group !== undefined && hasSameFiles(group, cached);
  }

  #plan(
    folder: string,
    files: readonly TextFile[],
    source: SourceRecord,
    sink: Sink,
  ): ManifestGroup | undefined {
    if (this.#folder.isBroken) return undefined;
    const texts = new Map(
      files.map((file) => [file.path.slice(folder.length + 1), file.text]),
    );
    const plan = planGroup(folder, texts, this.before[folder], this.#options);
    const foreign = plan.files.filter(({ action }) => action === "foreign");
    reportObstacles(plan, this.#options.out, sink);
    // If a group contains a foreign file, none of its files is written.
    if (foreign.length > 0) {
      this.#plans.push(withoutTexts({ folder, files: foreign }));
      return undefined;
    }
    const group = { ...source, files: hashesOf(plan) };
    if (!this.#folder.stage(plan, group, sink)) return undefined;
    this.#groups.set(folder, group);
    this.#plans.push(withoutTexts(plan));
    return group;
  }

  #drop(folder: string, group: ManifestGroup, sink: Sink): void {
    if (this.#folder.isBroken) return;
    const plan = planGroup(folder, new Map(), group, this.#options);
    reportObstacles(plan, this.#options.out, sink);
    if (this.#folder.stage(plan, undefined, sink)) this.#plans.push(plan);
    this.#dropped.add(folder);
  }

  /** Claims a folder. If several documents claim it, all their claims fail. */
  #claim(folder: string, { name }: Origin, sink: Sink): boolean {
    if (this.#claims.claim({ folder, document: name }, sink)) return true;
    for (const disputed of this.#claims.disputed) this.#withdraw(disputed);
    return false;
  }

  #withdraw(folder: string): void {
    if (!this.#groups.delete(folder)) return;
    this.#folder.unstage(folder);
    this.#plans = this.#plans.filter((plan) => plan.folder !== folder);
    this.#withdrawn++;
  }
}
