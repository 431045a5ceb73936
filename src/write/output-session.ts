// This file is longer than others because the functions that plan, reuse and
// delete output share the state of one run.

import { existsSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import { storedFinding } from "../diagnostics/stored-finding.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "../platform/output-file.js";
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
import { intactStates, isIntact } from "./intact.js";
import {
  isChange,
  hashesOf,
  reportObstacles,
  unchangedPlan,
  type GroupPlan,
} from "./plan.js";
import {
  groupFolderOf,
  type PreparedGroup,
  type PrepareOptions,
} from "./prepare-group.js";

/** Options of a run that apply to its output folder. */
export interface SessionOptions {
  readonly out: string;
  /** Folder against which relative paths of sources are resolved. */
  readonly cwd: string;
  /**
   * Mode of the run: `write` changes files; `check` and `dry-run` only compare
   * the existing files with the generated files.
   */
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
}

/** Prepared output of an API, and the settings on which it depends. */
export interface Output {
  readonly prepared: PreparedGroup;
  readonly targets: readonly string[];
  readonly style?: string | undefined;
  /**
   * True if later runs produce the same output from the same inputs. Only such
   * output is cached.
   */
  readonly isStable: boolean;
  /** Warnings and info findings about the document. */
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
  /** Entries of the new manifest, keyed by folder of the API or runtime. */
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

  /** Manifest entries before the run, keyed by folder of the API or runtime. */
  get before(): Readonly<Record<string, ManifestGroup>> {
    return this.#folder.before.groups;
  }

  /** Manifest entries after the run, keyed by folder of the API or runtime. */
  get groups(): ReadonlyMap<string, ManifestGroup> {
    return this.#groups;
  }

  /**
   * Returns the cached output for a hash of inputs. Returns undefined if the
   * manifest does not list exactly the files of this output.
   */
  cachedOutput(inputs: string): CachedOutput | undefined {
    const cached = this.#cache.get(inputs);
    return cached !== undefined && this.#isUnchanged(cached)
      ? cached
      : undefined;
  }

  /**
   * True if the cache contains output of earlier runs of this user in this
   * folder.
   */
  get hasCache(): boolean {
    return this.#cache.size > 0;
  }

  /**
   * Number of documents whose planned output was discarded because of a
   * conflict, or because writing failed.
   */
  get withdrawn(): number {
    return this.#withdrawn;
  }

  /**
   * True if the run generated all APIs in the output folder. Valid only after
   * `dropStale` was called.
   */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Returns cached output if its files are unchanged; otherwise undefined. A
   * run that writes files relies on the file states in this user's cache; other
   * runs compare the content of all files.
   */
  intact(cached: CachedOutput): CachedOutput | undefined {
    const { out, mode } = this.#options;
    const { folder, files, states = {} } = cached;
    if (mode !== "write")
      return isIntact(folder, files, out) ? cached : undefined;
    const current = intactStates(folder, files, out, states);
    return current && { ...cached, states: current };
  }

  /**
   * Reuses output whose files are unchanged. Returns false if another document
   * has the same folder.
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
   * Locks the output folder and returns the settings for threads that prepare
   * changes; undefined if the folder can't be written.
   */
  shareFolder(sink: Sink): PrepareOptions | undefined {
    const { out, force, mode } = this.#options;
    const { before } = this;
    return this.#folder.open(sink)
      ? { out, force, isReadOnly: mode !== "write", before }
      : undefined;
  }

  /**
   * Compares the files of an API with the existing output and prepares the
   * changes. Returns undefined if the output folder can't be written.
   */
  prepare(files: readonly OutputFile[], sink: Sink): PreparedGroup | undefined {
    const { force } = this.#options;
    return this.#folder.prepare(groupFolderOf(files), files, force, sink);
  }

  /** Reports that another thread could not prepare the changes to an API. */
  fail(message: string, sink: Sink): void {
    this.#folder.fail(message, sink);
  }

  /**
   * Adds the prepared output of an API to the planned files. Returns false if
   * existing files with the same paths were not generated.
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

  /** Adds the files of a runtime to the planned files. */
  planRuntime(folder: string, files: readonly OutputFile[], sink: Sink): void {
    const { force } = this.#options;
    const prepared = this.#folder.prepare(folder, files, force, sink);
    if (prepared !== undefined) this.#plan(prepared, {}, sink);
  }

  /** Plans the deletion of an unused runtime. */
  dropRuntime(folder: string, sink: Sink): void {
    if (this.before[folder] === undefined) return;
    this.#groups.delete(folder);
    this.#drop(folder, sink);
  }

  /**
   * Plans the deletion of output of documents that no longer exist or that now
   * describe another API. Other output is not changed.
   * @param specs arguments whose documents were listed completely
   * @param documents names of the listed documents
   * @param isWhole true to also delete the output of all documents that are not
   *   part of this run
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
    if (this.#folder.isBroken && !this.#folder.isCommitted)
      this.#withdrawChanges();
    if (this.#folder.isBroken) return;
    if (manifest !== undefined)
      this.#plans.push({ folder: "", files: [manifest] });
    if (this.#options.mode !== "dry-run") this.#cache.save(this.#groups);
  }

  /** Tests whether the manifest lists exactly the files of a cached output. */
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
    // If one of the files exists but was not generated, none of the API's files
    // is written.
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

  /**
   * Registers a document's output folder. If several documents have the same
   * folder, no output is written for any of them.
   */
  #claim(folder: string, { name }: Origin, sink: Sink): boolean {
    if (this.#claims.claim({ folder, document: name }, sink)) return true;
    for (const disputed of this.#claims.disputed) this.#withdraw(disputed);
    return false;
  }

  /** Removes all changes from the plans, because none of them was written. */
  #withdrawChanges(): void {
    const changed = this.#plans.filter(({ files }) => files.some(isChange));
    const isGenerated = ({ folder }: GroupPlan): boolean =>
      this.#groups.has(folder) && !isRuntime(folder);
    this.#withdrawn += changed.filter(isGenerated).length;
    this.#plans = this.#plans.filter((plan) => !changed.includes(plan));
  }

  #withdraw(folder: string): void {
    if (!this.#groups.delete(folder)) return;
    this.#folder.unstage(folder);
    this.#plans = this.#plans.filter((plan) => plan.folder !== folder);
    this.#withdrawn++;
  }
}
