// This file is longer than 400 lines because plan, writing and manifest of one run
// share the state of the lock.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import { makeFolder } from "../platform/folders.js";
import { hash } from "../platform/hash.js";
import { acquireLock } from "../platform/lock.js";
import type { OutputFile } from "../platform/output-file.js";
import { isIntact } from "./existing-files.js";
import {
  EMPTY_MANIFEST,
  isRuntime,
  isSameManifest,
  MANIFEST,
  manifestText,
  readManifest,
  type Manifest,
  type ManifestGroup,
} from "./manifest.js";
import {
  hashesOf,
  isChange,
  planGroup,
  reportObstacles,
  unchangedPlan,
  type GroupPlan,
  type PlannedFile,
} from "./plan.js";
import {
  ListedDocuments,
  SourcePaths,
  type Origin,
  type SourceRecord,
} from "./source-paths.js";
import { FileWriter } from "./write-files.js";

/** Name of the lock file in the output folder, which exists during a write. */
export const LOCK = ".gen-lock";

/** Options of a run that apply to its output folder. */
export interface SessionOptions {
  /** Absolute path of the output folder. */
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

/**
 * Plans the output of one run, and writes it. The first file system error is
 * reported, and nothing more is planned or written after it.
 */
export class OutputSession {
  /** Findings about the manifest. */
  readonly diagnostics: Sink["diagnostics"];
  readonly #options: SessionOptions;
  readonly #sourcePaths: SourcePaths;
  /** Manifest before the run; undefined if it is damaged. */
  readonly #before: Manifest | undefined;
  /** Folders of the manifest, keyed by the hash of their inputs. */
  readonly #foldersByInputs: ReadonlyMap<string | undefined, string>;
  /** Existing folders of the manifest, keyed by their names in lower case. */
  readonly #existing: ReadonlyMap<string, string>;
  /**
   * Folders of the documents of this run with the names of the documents, keyed
   * by the folder in lower case, because many file systems ignore case.
   */
  readonly #claims = new Map<string, { folder: string; document: string }>();
  /**
   * Folders to which several documents would be written. Their existing output
   * is not changed.
   */
  readonly #disputed = new Set<string>();
  readonly #dropped = new Set<string>();
  readonly #groups = new Map<string, ManifestGroup>();
  #plans: GroupPlan[] = [];
  #withdrawn = 0;
  #isComplete = true;
  #isBroken = false;

  constructor(options: SessionOptions) {
    const { out, cwd } = options;
    this.#options = options;
    const sink = new Sink(out);
    this.diagnostics = sink.diagnostics;
    this.#sourcePaths = new SourcePaths(out, cwd);
    this.#before = this.#attempt(sink, () => read(out, sink));
    const groups = Object.entries(this.before);
    this.#foldersByInputs = new Map(
      groups.map(([folder, { inputs }]) => [inputs?.split(".")[0], folder]),
    );
    this.#existing = new Map(
      groups
        .map(([folder]) => folder)
        .filter((folder) => existsSync(path.join(out, folder)))
        .map((folder) => [folder.toLowerCase(), folder]),
    );
  }

  get plans(): readonly GroupPlan[] {
    return this.#plans;
  }

  /** Manifest entries before the run, keyed by folder of the API or runtime. */
  get before(): Readonly<Record<string, ManifestGroup>> {
    return (this.#before ?? EMPTY_MANIFEST).groups;
  }

  /** Manifest entries after the run, keyed by folder of the API or runtime. */
  get groups(): ReadonlyMap<string, ManifestGroup> {
    return this.#groups;
  }

  /**
   * Number of documents whose planned output was discarded because of a
   * conflict, or was not written completely.
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
   * Returns the folder that an earlier run generated from the given inputs, if
   * the manifest contains one.
   */
  folderOf(inputs: string): string | undefined {
    return this.#foldersByInputs.get(inputs);
  }

  /** Tests whether the files of a folder have the hashes of the manifest. */
  isIntact(folder: string): boolean {
    return isIntact(folder, this.before[folder]!.files, this.#options.out);
  }

  /**
   * Plans no changes to a folder of the manifest. Returns false if another
   * document has the same folder.
   */
  reuse(folder: string, origin: Origin, sink: Sink): boolean {
    if (!this.#claim(folder, origin, sink)) return false;
    const { inputs, files } = this.before[folder]!;
    const record = this.#sourcePaths.recordOf(origin);
    this.#groups.set(folder, { ...record, inputs: inputs!, files });
    this.#plans.push(unchangedPlan(folder, files));
    return true;
  }

  /**
   * Plans the files of an API. Returns false if nothing is written: another
   * document has the same folder, or a file was not generated.
   * @param inputs hash of the inputs, if later runs can reuse the output
   */
  plan(
    files: readonly OutputFile[],
    origin: Origin,
    inputs: string | undefined,
    sink: Sink,
  ): boolean {
    const folder = files[0]!.path.split("/").slice(0, 2).join("/");
    if (!this.#claim(folder, origin, sink)) return false;
    const record = this.#sourcePaths.recordOf(origin);
    const source = inputs === undefined ? record : { ...record, inputs };
    return this.#plan(folder, files, source, sink);
  }

  planRuntime(folder: string, files: readonly OutputFile[], sink: Sink): void {
    this.#plan(folder, files, {}, sink);
  }

  /** Plans the deletion of an unused runtime. */
  dropRuntime(folder: string, sink: Sink): void {
    if (this.before[folder] === undefined) return;
    this.#groups.delete(folder);
    this.#drop(folder, sink);
  }

  /**
   * Plans the deletion of the output of a document. Other output is not changed.
   * Returns the folders of the document.
   */
  dropDocument(name: string, sink: Sink): readonly string[] {
    const document = this.#sourcePaths.pathOf(name);
    const folders = Object.entries(this.before).flatMap(([folder, group]) =>
      document !== undefined && group.document === document ? [folder] : [],
    );
    for (const [folder, group] of Object.entries(this.before))
      if (folders.includes(folder)) this.#drop(folder, sink);
      else this.#groups.set(folder, group);
    return folders;
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
      const isDisputed = this.#disputed.has(folder);
      const isOther = isWhole && !isRuntime(folder);
      if (!isDisputed && (isOther || listed.isGone(group, done)))
        this.#drop(folder, sink);
      else {
        this.#groups.set(folder, group);
        if (!isRuntime(folder)) this.#isComplete = false;
      }
    }
  }

  /**
   * Writes the planned changes and then the manifest. In the modes `check` and
   * `dry-run`, only adds the manifest to the plans.
   */
  write(sink: Sink): void {
    if (this.#isBroken || (this.#groups.size === 0 && this.#plans.length === 0))
      return;
    const manifest: Manifest = {
      format: 2,
      groups: Object.fromEntries(this.#groups),
    };
    const planned = this.#planManifest(manifest);
    const files = this.#plans.flatMap((plan) => plan.files).filter(isChange);
    if (files.length === 0 && planned === undefined) return this.#clean();
    if (this.#options.mode === "write")
      this.#attempt(sink, () => this.#writeAll(files, manifest));
    if (planned !== undefined && !this.#isBroken)
      this.#plans.push({ folder: "", files: [planned] });
  }

  /**
   * Plans the update of the manifest. Returns undefined if the manifest does
   * not change.
   */
  #planManifest(manifest: Manifest): PlannedFile | undefined {
    const before = this.#before;
    if (before !== undefined && isSameManifest(manifest, before))
      return undefined;
    const isAbsent =
      before !== undefined && isSameManifest(before, EMPTY_MANIFEST);
    const action = isAbsent ? "create" : "update";
    return { path: MANIFEST, action, hash: hash(manifestText(manifest)) };
  }

  #writeAll(files: readonly PlannedFile[], manifest: Manifest): void {
    const { out } = this.#options;
    const writer = new FileWriter(out, makeFolder(out));
    try {
      const release = acquireLock(path.join(out, LOCK));
      try {
        this.#refuseChangedManifest();
        writer.removeTemporaries(this.#paths());
        // If this run is killed, the next run recognizes the new files as
        // generated, even if it generates other files.
        if (files.some(({ action }) => action === "create"))
          writer.write(MANIFEST, manifestText(this.#interimManifest()));
        writer.apply(files);
        writer.write(MANIFEST, manifestText(manifest));
      } finally {
        release();
      }
    } catch (error) {
      writer.removeNewFolders();
      this.#withdrawUnwritten(writer.written);
      const { size } = writer.written;
      if (size > 0 && error instanceof Error)
        error.message += `; ${size} of ${files.length} files were changed before`;
      throw error;
    }
  }

  /** Throws if another run changed the output after this run had read it. */
  #refuseChangedManifest(): void {
    const current = readManifest(this.#options.out);
    const before = this.#before;
    const isSame =
      current === undefined || before === undefined
        ? current === before
        : manifestText(current) === manifestText(before);
    if (!isSame)
      throw new Error("another run changed the output; run `gen` again");
  }

  /** Removes the lock and the temporary files of a killed run. */
  #clean(): void {
    const { out, mode } = this.#options;
    const lock = path.join(out, LOCK);
    if (mode !== "write" || !existsSync(lock)) return;
    try {
      const release = acquireLock(lock);
      new FileWriter(out, []).removeTemporaries(this.#paths());
      release();
    } catch {
      // Another run is writing, or the folder is read-only.
    }
  }

  /** Returns the paths of all files that this run or an earlier one generates. */
  #paths(): Set<string> {
    const before = Object.entries(this.before).flatMap(([folder, { files }]) =>
      Object.keys(files).map((name) => `${folder}/${name}`),
    );
    const planned = this.#plans.flatMap(({ files }) => files);
    return new Set([MANIFEST, ...before, ...planned.map((file) => file.path)]);
  }

  /** Returns the manifest before the run, with the files that it will create. */
  #interimManifest(): Manifest {
    const groups: Record<string, ManifestGroup> = { ...this.before };
    for (const plan of this.#plans) {
      const created = plan.files.filter(({ action }) => action === "create");
      if (created.length === 0) continue;
      const { folder } = plan;
      const { inputs: _, ...source } = this.#groups.get(folder)!;
      const known = this.before[folder];
      const added = hashesOf({ folder, files: created });
      groups[folder] = { ...source, files: { ...known?.files, ...added } };
    }
    return { format: 2, groups };
  }

  #plan(
    folder: string,
    files: readonly OutputFile[],
    source: SourceRecord,
    sink: Sink,
  ): boolean {
    const plan = this.#planGroup(folder, files, sink);
    if (plan === undefined) return false;
    const foreign = plan.files.filter(({ action }) => action === "foreign");
    // If one of the files exists but was not generated, none of the API's files
    // is written.
    if (foreign.length > 0) {
      this.#plans.push({ folder, files: foreign });
      return false;
    }
    this.#groups.set(folder, { ...source, files: hashesOf(plan) });
    this.#plans.push(plan);
    return true;
  }

  #drop(folder: string, sink: Sink): void {
    const plan = this.#planGroup(folder, [], sink);
    if (plan === undefined) return;
    this.#plans.push(plan);
    this.#dropped.add(folder);
  }

  /** Compares files with the output; undefined if the output can't be read. */
  #planGroup(
    folder: string,
    files: readonly OutputFile[],
    sink: Sink,
  ): GroupPlan | undefined {
    const { out } = this.#options;
    const { before } = this;
    const known = Object.hasOwn(before, folder) ? before[folder] : undefined;
    const plan = this.#attempt(sink, () =>
      planGroup(folder, files, known, this.#options),
    );
    if (plan !== undefined) reportObstacles(plan, out, sink);
    return plan;
  }

  /**
   * Registers a document's output folder. If several documents have the same
   * folder, or folders that differ only in case, no output is written for any
   * of them.
   */
  #claim(folder: string, { name }: Origin, sink: Sink): boolean {
    const key = folder.toLowerCase();
    const other = this.#claims.get(key);
    if (other !== undefined) {
      if (folder === other.folder)
        sink.report(
          "api-duplicate",
          `${other.document} and ${name} would both be generated into ${folder}`,
        );
      else
        sink.report(
          "api-case",
          `${other.document} would be generated into ${other.folder}, and ${name} into ${folder}; the folders differ only in case`,
        );
      this.#dispute(folder);
      this.#dispute(other.folder);
      return false;
    }
    this.#claims.set(key, { folder, document: name });
    const existing = this.#existing.get(key) ?? folder;
    if (existing === folder) return true;
    sink.report(
      "api-case",
      `${name} would be generated into ${folder}, but the output already contains the folder ${existing}`,
    );
    this.#dispute(existing);
    return false;
  }

  /** Discards the planned changes to a folder. */
  #dispute(folder: string): void {
    this.#disputed.add(folder);
    if (!this.#groups.delete(folder)) return;
    this.#plans = this.#plans.filter((plan) => plan.folder !== folder);
    this.#withdrawn++;
  }

  /** Reports only the changes that were made of folders with other changes. */
  #withdrawUnwritten(written: ReadonlySet<PlannedFile>): void {
    const isMissing = (file: PlannedFile): boolean =>
      isChange(file) && !written.has(file);
    const isApi = ({ folder }: GroupPlan): boolean =>
      this.#groups.has(folder) && !isRuntime(folder);
    const failed = this.#plans.filter(({ files }) => files.some(isMissing));
    this.#withdrawn += failed.filter(isApi).length;
    this.#plans = this.#plans.map((plan) =>
      failed.includes(plan)
        ? { ...plan, files: plan.files.filter((file) => written.has(file)) }
        : plan,
    );
  }

  #attempt<T>(sink: Sink, action: () => T): T | undefined {
    if (this.#isBroken) return undefined;
    try {
      return action();
    } catch (error) {
      this.#isBroken = true;
      const { out } = this.#options;
      sink.report("output-unwritable", `${out}: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** Reads the manifest of an output folder, which may be missing. */
function read(out: string, sink: Sink): Manifest | undefined {
  const stats = statSync(out, { throwIfNoEntry: false });
  if (stats === undefined) return EMPTY_MANIFEST;
  if (!stats.isDirectory()) throw new Error("the output path must be a folder");
  const manifest = readManifest(out);
  if (manifest === undefined)
    sink.report(
      "manifest-invalid",
      `the manifest in ${out} is not valid; it is ignored`,
    );
  return manifest;
}
