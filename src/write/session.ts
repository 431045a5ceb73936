import { existsSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { Claims } from "./claims.js";
import { OutputFolder } from "./folder.js";
import { hasFiles, KnownOutputs, type KnownOutput } from "./known-output.js";
import type { ManifestGroup } from "./manifest.js";
import { Listed, Places, type Origin, type Source } from "./origin.js";
import { isIntact, planGroup, untouched, type GroupPlan } from "./plan.js";

/** How a run treats the output folder. */
export interface SessionOptions {
  readonly out: string;
  /** Base of relative sources. */
  readonly cwd: string;
  /** `write` changes files; `check` and `dry-run` only look. */
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
}

/** File to write: path relative to --out with forward slashes, and its text. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** An API's files, and what they were made with. */
export interface Output {
  readonly files: readonly TextFile[];
  readonly targets: readonly string[];
  readonly style?: string | undefined;
  /** Whether equal inputs give equal output later; else it is not remembered. */
  readonly isStable: boolean;
}

/** One run's view of the output folder: what is there, what is to be, what is done. */
export class OutputSession {
  readonly diagnostics: Diagnostic[] = [];
  readonly #options: SessionOptions;
  readonly #folder: OutputFolder;
  readonly #places: Places;
  readonly #claims: Claims;
  /** What this user's generator made of which inputs. */
  readonly #known: KnownOutputs;
  #plans: GroupPlan[] = [];
  /** What the manifest will say. */
  readonly #groups = new Map<string, ManifestGroup>();
  readonly #dropped = new Set<string>();
  #withdrawn = 0;
  #isWhole = true;

  constructor(options: SessionOptions) {
    const { out, cwd, mode } = options;
    this.#options = options;
    const sink = new Sink(out);
    this.#folder = new OutputFolder(out, mode !== "write", sink);
    this.#places = new Places(out, cwd);
    const isThere = (folder: string): boolean =>
      existsSync(path.join(out, folder));
    this.#claims = new Claims(Object.keys(this.before).filter(isThere));
    this.#known = new KnownOutputs(out);
    this.diagnostics.push(...sink.diagnostics);
  }

  get plans(): readonly GroupPlan[] {
    return this.#plans;
  }

  /** Groups of the output as the run found it, by folder. */
  get before(): Readonly<Record<string, ManifestGroup>> {
    return this.#folder.before.groups;
  }

  /** Groups of the output as the run leaves it, by folder. */
  get groups(): ReadonlyMap<string, ManifestGroup> {
    return this.#groups;
  }

  /** What is known of inputs, where the output has the same files still. */
  known(inputs: string): KnownOutput | undefined {
    const known = this.#known.get(inputs);
    return known !== undefined && this.#isUnchanged(known) ? known : undefined;
  }

  /** Hashes of inputs of which the output need not be made. */
  knownInputs(isUsable: (known: KnownOutput) => boolean): Set<string> {
    const entries = [...this.#known.entries()].filter(
      ([, known]) => isUsable(known) && this.#isUnchanged(known),
    );
    return new Set(entries.map(([inputs]) => inputs));
  }

  /** Documents whose output was planned, and then withdrawn for another's sake. */
  get withdrawn(): number {
    return this.#withdrawn;
  }

  /** Whether no API keeps the output of an earlier run; known after `dropStale`. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Takes over output that is there already, untouched; undefined where it is not. */
  keep(known: KnownOutput, origin: Origin, sink: Sink): boolean | undefined {
    const { folder, files } = known;
    if (!isIntact(folder, files, this.#options.out)) return undefined;
    if (!this.#claim(folder, origin, sink)) return false;
    this.#groups.set(folder, { ...this.#places.recordOf(origin), files });
    this.#known.put(origin.inputs, known);
    this.#plans.push(untouched(folder, files));
    return true;
  }

  /** Plans an API's files; false where something foreign is in the way. */
  plan(output: Output, origin: Origin, sink: Sink): boolean {
    const { files, targets, style, isStable } = output;
    const folder = files[0]!.path.split("/").slice(0, 2).join("/");
    if (!this.#claim(folder, origin, sink)) return false;
    const source = this.#places.recordOf(origin);
    const group = this.#plan(folder, files, source, sink);
    if (group !== undefined && isStable)
      this.#known.put(origin.inputs, {
        folder,
        targets,
        ...(style === undefined ? {} : { style }),
        files: group.files,
      });
    return group !== undefined;
  }

  /** Plans the files that all APIs share. */
  planRuntime(folder: string, files: readonly TextFile[], sink: Sink): void {
    this.#plan(folder, files, {}, sink);
  }

  /** Removes a runtime that nothing imports any more. */
  dropRuntime(folder: string, sink: Sink): void {
    const group = this.before[folder];
    if (group === undefined) return;
    this.#groups.delete(folder);
    this.#drop(folder, group, sink);
  }

  /**
   * Removes the output of documents that are gone, or describe another API
   * now, and keeps all other.
   * @param specs arguments whose listing is complete
   * @param documents names of the documents that they led to
   */
  dropStale(
    specs: Iterable<string>,
    documents: Iterable<string>,
    sink: Sink,
  ): void {
    const listed = new Listed(this.#places, specs, documents);
    const done = new Set([...this.#groups.values()].map(documentOf));
    for (const [folder, group] of Object.entries(this.before)) {
      if (this.#groups.has(folder) || this.#dropped.has(folder)) continue;
      const isDisputed = this.#claims.disputed.has(folder);
      if (!isDisputed && listed.isGone(group, done))
        this.#drop(folder, group, sink);
      else {
        this.#groups.set(folder, group);
        if (!isRuntime(folder)) this.#isWhole = false;
      }
    }
  }

  /** Writes what was planned. */
  write(sink: Sink): void {
    if (this.#groups.size === 0 && this.#plans.length === 0)
      return this.#folder.discard();
    const manifest = this.#folder.planManifest(this.#groups);
    this.#folder.commit(this.#groups, sink);
    if (this.#folder.isBroken) return;
    if (manifest !== undefined)
      this.#plans.push({ folder: "", files: [manifest] });
    if (this.#options.mode !== "dry-run") this.#known.save(this.#groups);
  }

  /** Whether the manifest names the files that are known, and no other. */
  #isUnchanged(known: KnownOutput): boolean {
    const group = this.before[known.folder];
    return group !== undefined && hasFiles(group, known);
  }

  #plan(
    folder: string,
    files: readonly TextFile[],
    source: Source,
    sink: Sink,
  ): ManifestGroup | undefined {
    if (this.#folder.isBroken) return undefined;
    const texts = new Map(
      files.map((file) => [file.path.slice(folder.length + 1), file.text]),
    );
    const plan = planGroup(folder, texts, this.before[folder], this.#options);
    const foreign = plan.files.filter(({ action }) => action === "foreign");
    reportObstacles(plan, this.#options.out, sink);
    // Nothing of a group is written where one of its files would replace another's.
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

  /** Where documents compete for a folder, none of them gets it. */
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

/** Whether a group is a copy of the runtime, and no API. */
export function isRuntime(folder: string): boolean {
  return folder.startsWith("runtime/");
}

/** Reports files that are not ours to replace or delete. */
function reportObstacles({ files }: GroupPlan, out: string, sink: Sink): void {
  for (const { path: file, action } of files) {
    if (action === "foreign")
      sink.report("output-foreign", `${file} in ${out} was not generated`);
    if (action === "edited")
      sink.report("output-edited", `${file} is stale, but was edited`);
  }
}

function documentOf({ document }: ManifestGroup): string | undefined {
  return document;
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
    files: plan.files.map(({ path: name, action, hash }) => ({
      path: name,
      action,
      hash,
    })),
  };
}
