// This file is longer than others because planning, reusing and dropping output
// share the state of one run.

import { existsSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import { storedFinding } from "../diagnostics/stored-finding.js";
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
  reportObstacles,
  unchangedPlan,
  type GroupPlan,
} from "./plan.js";
import {
  groupFolderOf,
  type PreparedGroup,
  type PrepareOptions,
  type TextFile,
} from "./prepare-group.js";

/** Options of a run that concern its output folder. */
export interface SessionOptions {
  readonly out: string;
  /** Folder that relative paths of sources refer to. */
  readonly cwd: string;
  /** `write` changes files; `check` and `dry-run` only compare. */
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
}

/** Prepared output of an API, and the settings that it depends on. */
export interface Output {
  readonly prepared: PreparedGroup;
  readonly targets: readonly string[];
  readonly style?: string | undefined;
  /**
   * True if equal inputs produce equal output in later runs. Only such output
   * is cached.
   */
  readonly isStable: boolean;
  /** Warnings and infos about the document. */
  readonly diagnostics: readonly Diagnostic[];
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

  /** True if earlier runs of this user cached output of the folder. */
  get hasCache(): boolean {
    return this.#cache.size > 0;
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

  /** Returns whether the files of cached output are unchanged. */
  isIntact({ folder, files }: CachedOutput): boolean {
    return isIntact(folder, files, this.#options.out);
  }

  /**
   * Reuses output whose files are intact. Returns false if another document
   * claims its folder.
   */
  reuse(cached: CachedOutput, origin: Origin, sink: Sink): boolean {
    const { folder, files } = cached;
    if (!this.#claim(folder, origin, sink)) return false;
    this.#groups.set(folder, { ...this.#sourcePaths.recordOf(origin), files });
    this.#cache.put(origin.inputs, cached);
    this.#plans.push(unchangedPlan(folder, files));
    return true;
  }

  /**
   * Settings for threads that prepare groups; undefined if the output folder
   * can't be written. Locks the folder.
   */
  shareFolder(sink: Sink): PrepareOptions | undefined {
    const { out, force, mode } = this.#options;
    const { before } = this;
    return this.#folder.open(sink)
      ? { out, force, isReadOnly: mode !== "write", before }
      : undefined;
  }

  /**
   * Compares the files of an API with the output and prepares the changes.
   * Returns undefined if the output folder can't be written.
   */
  prepare(files: readonly TextFile[], sink: Sink): PreparedGroup | undefined {
    const { force } = this.#options;
    return this.#folder.prepare(groupFolderOf(files), files, force, sink);
  }

  /** Reports that another thread could not prepare a group. */
  fail(message: string, sink: Sink): void {
    this.#folder.fail(message, sink);
  }

  /**
   * Plans the prepared output of an API. Returns false if existing files that
   * were not generated have the same paths.
   */
  plan(output: Output, origin: Origin, sink: Sink): boolean {
    const { prepared, targets, style, isStable, diagnostics } = output;
    const { folder } = prepared.plan;
    if (!this.#claim(folder, origin, sink)) return false;
    const source = this.#sourcePaths.recordOf(origin);
    const group = this.#plan(prepared, source, sink);
    if (group !== undefined && isStable)
      this.#cache.put(origin.inputs, {
        folder,
        targets,
        ...(style === undefined ? {} : { style }),
        files: group.files,
        findings: diagnostics.map((finding) =>
          storedFinding(finding, origin.name),
        ),
      });
    return group !== undefined;
  }

  /** Plans the files of a runtime. */
  planRuntime(folder: string, files: readonly TextFile[], sink: Sink): void {
    const { force } = this.#options;
    const prepared = this.#folder.prepare(folder, files, force, sink);
    if (prepared !== undefined) this.#plan(prepared, {}, sink);
  }

  /** Removes an unused runtime. */
  dropRuntime(folder: string, sink: Sink): void {
    if (this.before[folder] === undefined) return;
    this.#groups.delete(folder);
    this.#drop(folder, sink);
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
        this.#drop(folder, sink);
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
    prepared: PreparedGroup,
    source: SourceRecord,
    sink: Sink,
  ): ManifestGroup | undefined {
    if (this.#folder.isBroken) return undefined;
    const { plan } = prepared;
    const { folder } = plan;
    const foreign = plan.files.filter(({ action }) => action === "foreign");
    reportObstacles(plan, this.#options.out, sink);
    // If a group contains a foreign file, none of its files is written.
    if (foreign.length > 0) {
      this.#plans.push({ folder, files: foreign });
      return undefined;
    }
    const group = { ...source, files: hashesOf(plan) };
    this.#folder.add(prepared, group);
    this.#groups.set(folder, group);
    this.#plans.push(plan);
    return group;
  }

  #drop(folder: string, sink: Sink): void {
    const { force } = this.#options;
    const prepared = this.#folder.prepare(folder, [], force, sink);
    if (prepared === undefined) return;
    const { plan } = prepared;
    reportObstacles(plan, this.#options.out, sink);
    this.#folder.add(prepared, undefined);
    this.#plans.push(plan);
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
