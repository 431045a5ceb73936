import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "../targets/target.js";
import { OutputFolder } from "./folder.js";
import type { ManifestGroup } from "./manifest.js";
import { recordOf, type Listed, type Origin } from "./origin.js";
import { isIntact, planGroup, untouched, type GroupPlan } from "./plan.js";

/** How a run treats the output folder. */
export interface SessionOptions {
  readonly out: string;
  /** `write` changes files; `check` and `dry-run` only look. */
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
}

/** One run's view of the output folder: what is there, what is to be, what is done. */
export class OutputSession {
  readonly plans: GroupPlan[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #options: SessionOptions;
  readonly #folder: OutputFolder;
  /** What the manifest will say. */
  readonly #groups = new Map<string, ManifestGroup>();
  /** Folders by the hash of what they were made from. */
  readonly #known = new Map<string, string>();
  readonly #dropped = new Set<string>();
  /** Documents that gave output in this run. */
  readonly #done = new Set<string>();

  constructor(options: SessionOptions) {
    this.#options = options;
    const sink = new Sink(options.out);
    this.#folder = new OutputFolder(
      options.out,
      options.mode !== "write",
      sink,
    );
    for (const [folder, { inputs }] of Object.entries(this.#before)) {
      if (inputs !== undefined) this.#known.set(inputs, folder);
    }
    this.diagnostics.push(...sink.diagnostics);
  }

  get #before(): Readonly<Record<string, ManifestGroup>> {
    return this.#folder.before.groups;
  }

  /** Hashes of the inputs whose output is there, if nobody touched it. */
  get known(): ReadonlySet<string> {
    return new Set(this.#known.keys());
  }

  /** Whether this run has any API's output. */
  get hasApis(): boolean {
    return this.#groups.size > 0;
  }

  /** Whether all that was generated before was planned in this run, too. */
  get isWhole(): boolean {
    return Object.entries(this.#before).every(
      ([folder, { inputs }]) =>
        inputs === undefined || this.#groups.has(folder),
    );
  }

  /**
   * Whether the output of these inputs is there already, untouched. If so, it
   * is taken over.
   */
  keep(origin: Origin, sink: Sink): boolean | undefined {
    const folder = this.#known.get(origin.inputs);
    const group = folder === undefined ? undefined : this.#before[folder];
    if (folder === undefined || group === undefined) return undefined;
    if (!isIntact(folder, group, this.#options.out)) return undefined;
    if (this.#isDuplicate(folder, sink)) return false;
    this.#record(folder, { ...recordOf(origin), files: group.files });
    this.plans.push(untouched(folder, group));
    return true;
  }

  /** Plans an API's files; false where something foreign is in the way. */
  plan(files: readonly OutputFile[], origin: Origin, sink: Sink): boolean {
    const folder = files[0]!.path.split("/").slice(0, 2).join("/");
    return (
      !this.#isDuplicate(folder, sink) &&
      this.#plan(folder, files, recordOf(origin), sink)
    );
  }

  /** Plans the files that all APIs share. */
  planRuntime(folder: string, files: readonly OutputFile[], sink: Sink): void {
    this.#plan(folder, files, {}, sink);
  }

  /** Removes a runtime that nothing imports any more. */
  dropRuntime(folder: string, sink: Sink): void {
    const group = this.#before[folder];
    if (group !== undefined) this.#drop(folder, group, sink);
  }

  /**
   * Removes the output of documents that are gone, or describe another API
   * now, and keeps all other.
   */
  dropStale(listed: Listed, sink: Sink): void {
    for (const [folder, group] of Object.entries(this.#before)) {
      if (this.#groups.has(folder) || this.#dropped.has(folder)) continue;
      if (listed.isGone(group, this.#done)) this.#drop(folder, group, sink);
      else this.#groups.set(folder, group);
    }
  }

  /** Writes what was planned. */
  write(sink: Sink): void {
    if (this.#groups.size > 0 || this.plans.length > 0)
      this.#folder.commit(this.#groups, sink);
  }

  #plan(
    folder: string,
    files: readonly OutputFile[],
    facts: Omit<ManifestGroup, "files">,
    sink: Sink,
  ): boolean {
    if (this.#folder.isBroken) return false;
    const texts = new Map(
      files.map((file) => [file.path.slice(folder.length + 1), file.text]),
    );
    const plan = planGroup(folder, texts, this.#before[folder], this.#options);
    if (this.#reportForeign(plan, sink)) return false;
    this.#reportEdited(plan, sink);
    const group = { ...facts, files: hashesOf(plan) };
    if (!this.#folder.stage(plan, group, sink)) return false;
    this.#record(folder, group);
    this.plans.push(withoutTexts(plan));
    return true;
  }

  #record(folder: string, group: ManifestGroup): void {
    this.#groups.set(folder, group);
    if (group.document !== undefined) this.#done.add(group.document);
  }

  #drop(folder: string, group: ManifestGroup, sink: Sink): void {
    if (this.#folder.isBroken) return;
    const plan = planGroup(folder, new Map(), group, this.#options);
    this.#reportEdited(plan, sink);
    if (this.#folder.stage(plan, undefined, sink)) this.plans.push(plan);
    this.#dropped.add(folder);
  }

  #isDuplicate(folder: string, sink: Sink): boolean {
    if (!this.#groups.has(folder)) return false;
    sink.report("api-duplicate", `another document already gave ${folder}`);
    return true;
  }

  /** Nothing of a group is written where one of its files would replace another's. */
  #reportForeign({ folder, files }: GroupPlan, sink: Sink): boolean {
    const foreign = files.filter(({ action }) => action === "foreign");
    for (const file of foreign)
      sink.report(
        "output-foreign",
        `${file.path} in ${this.#options.out} was not generated`,
      );
    if (foreign.length > 0)
      this.plans.push(withoutTexts({ folder, files: foreign }));
    return foreign.length > 0;
  }

  #reportEdited({ files }: GroupPlan, sink: Sink): void {
    for (const { path: file, action } of files) {
      if (action === "edited")
        sink.report("output-edited", `${file} is stale, but was edited`);
    }
  }
}

/** Hashes of the files that a plan leaves, by path below the group's folder. */
function hashesOf({ folder, files }: GroupPlan): Record<string, string> {
  return Object.fromEntries(
    files
      .filter(({ action }) => action !== "delete" && action !== "edited")
      .map((file) => [file.path.slice(folder.length + 1), file.hash]),
  );
}

/** Texts are written or not needed: a large run must not hold them. */
function withoutTexts(plan: GroupPlan): GroupPlan {
  return {
    ...plan,
    files: plan.files.map(({ path, action, hash }) => ({ path, action, hash })),
  };
}
