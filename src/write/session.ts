import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "../targets/target.js";
import { Writer } from "./apply.js";
import { claimedBy, recover } from "./journal.js";
import {
  EMPTY_MANIFEST,
  manifestText,
  readManifest,
  type Manifest,
  type ManifestGroup,
} from "./manifest.js";
import {
  isChange,
  isIntact,
  isUsableFolder,
  planGroup,
  untouched,
  type GroupPlan,
} from "./plan.js";

/** How a run treats the output folder. */
export interface SessionOptions {
  readonly out: string;
  /** `write` changes files; `check` and `dry-run` only look. */
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
}

/** Where a document came from. */
export interface Origin {
  readonly spec: string;
  readonly name: string;
  readonly hash: string;
}

interface Identity {
  readonly generator: string;
  readonly options: string;
}

/** One run's view of the output folder: what is there, what is to be, what is done. */
export class OutputSession {
  readonly plans: GroupPlan[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #options: SessionOptions & Identity;
  readonly #before: Manifest;
  readonly #claimed: ReadonlySet<string>;
  readonly #groups = new Map<string, ManifestGroup>();
  readonly #unchanged = new Map<string, string>();
  readonly #failedNames = new Set<string>();
  #writer: Writer | undefined;
  #broken = false;

  constructor(options: SessionOptions & Identity) {
    this.#options = options;
    const sink = new Sink(options.out);
    if (!isUsableFolder(options.out)) {
      sink.report("output-unwritable", `${options.out} is not a folder`);
      this.#broken = true;
    }
    this.#claimed = this.#recover(sink);
    const manifest = readManifest(options.out);
    if (manifest === undefined)
      sink.report(
        "manifest-invalid",
        `the manifest in ${options.out} is damaged`,
      );
    this.#before = manifest ?? EMPTY_MANIFEST;
    this.#findUnchanged();
    this.diagnostics.push(...sink.diagnostics);
  }

  get hasApis(): boolean {
    return this.#groups.size > 0;
  }

  /** Whether a document's output is there already, untouched. */
  isUnchanged(source: string): boolean {
    const folder = this.#unchanged.get(source);
    return (
      folder !== undefined &&
      isIntact(folder, this.#before.groups[folder]!, this.#options.out)
    );
  }

  /** Takes over the output of an unchanged document. */
  keep(source: string, sink: Sink): boolean {
    const folder = this.#unchanged.get(source)!;
    if (this.#isDuplicate(folder, sink)) return false;
    const group = this.#before.groups[folder]!;
    this.#groups.set(folder, group);
    this.plans.push(untouched(folder, group));
    return true;
  }

  /** A document that can't be used now keeps the output that it has. */
  keepFailed(name: string): void {
    this.#failedNames.add(name);
  }

  /** Plans an API's files; false where something foreign is in the way. */
  plan(files: readonly OutputFile[], origin: Origin, sink: Sink): boolean {
    const folder = files[0]!.path.split("/").slice(0, 2).join("/");
    if (this.#isDuplicate(folder, sink)) return false;
    const { spec, name, hash } = origin;
    return this.#plan(
      folder,
      files,
      { ...(isPortable(spec) ? { spec, document: name } : {}), source: hash },
      sink,
    );
  }

  planRuntime(folder: string, files: readonly OutputFile[], sink: Sink): void {
    this.#plan(folder, files, {}, sink);
  }

  #plan(
    folder: string,
    files: readonly OutputFile[],
    facts: Omit<ManifestGroup, "files">,
    sink: Sink,
  ): boolean {
    const texts = new Map(
      files.map((file) => [file.path.slice(folder.length + 1), file.text]),
    );
    const { out, force } = this.#options;
    const plan = planGroup(folder, texts, this.#before.groups[folder], {
      out,
      force,
      claimed: this.#claimed,
    });
    const foreign = plan.files.filter(({ action }) => action === "foreign");
    for (const file of foreign)
      sink.report("output-foreign", `${file.path} in ${out} was not generated`);
    this.#reportEdited(plan, sink);
    if (foreign.length > 0 || !this.#stage(plan, sink)) return false;
    const kept = plan.files.filter(
      ({ action }) => action !== "delete" && action !== "edited",
    );
    this.#groups.set(folder, {
      ...facts,
      files: Object.fromEntries(
        kept.map((file) => [file.path.slice(folder.length + 1), file.hash]),
      ),
    });
    this.plans.push(withoutTexts(plan));
    return true;
  }

  /**
   * Removes APIs whose document is gone from a folder or glob that was listed
   * in this run. A file given by name that is missing is a mistake, not a wish.
   */
  dropStale(listed: ReadonlySet<string>, names: ReadonlySet<string>): void {
    for (const [folder, group] of Object.entries(this.#before.groups)) {
      if (this.#groups.has(folder)) continue;
      const { spec, document } = group;
      const isListed =
        spec !== undefined &&
        document !== undefined &&
        spec !== document &&
        listed.has(spec);
      const isStale =
        isListed && !names.has(document) && !this.#failedNames.has(document);
      if (!isStale || this.#broken) {
        this.#groups.set(folder, group);
        continue;
      }
      const sink = new Sink(this.#options.out);
      const { out, force } = this.#options;
      const plan = planGroup(folder, new Map(), group, {
        out,
        force,
        claimed: this.#claimed,
      });
      this.#reportEdited(plan, sink);
      this.#stage(plan, sink);
      this.plans.push(plan);
      this.diagnostics.push(...sink.diagnostics);
    }
  }

  /** Writes what was planned. */
  write(sink: Sink): void {
    if (this.#options.mode !== "write" || this.#broken) return;
    const { generator, options, out } = this.#options;
    const manifest = {
      format: 1,
      generator,
      options,
      groups: Object.fromEntries(this.#groups),
    } as const;
    const text = manifestText(manifest);
    if (this.#writer === undefined && text === manifestText(this.#before))
      return;
    if (this.#groups.size === 0 && this.#writer === undefined) return;
    try {
      (this.#writer ?? new Writer(out)).commit(text);
    } catch (error) {
      this.#fail(error, sink);
    }
  }

  #stage(plan: GroupPlan, sink: Sink): boolean {
    if (this.#broken) return false;
    if (this.#options.mode !== "write" || !plan.files.some(isChange))
      return true;
    this.#writer ??= new Writer(this.#options.out);
    try {
      this.#writer.stage(plan);
      return true;
    } catch (error) {
      this.#fail(error, sink);
      return false;
    }
  }

  #fail(error: unknown, sink: Sink): void {
    sink.report(
      "output-unwritable",
      `${this.#options.out}: ${(error as Error).message}`,
    );
    this.#broken = true;
    try {
      recover(this.#options.out);
    } catch {
      // The folder that can't be written can't be cleaned either.
    }
  }

  #recover(sink: Sink): ReadonlySet<string> {
    try {
      return this.#options.mode === "write"
        ? recover(this.#options.out)
        : claimedBy(this.#options.out);
    } catch (error) {
      this.#fail(error, sink);
      return new Set();
    }
  }

  #findUnchanged(): void {
    const { generator, options } = this.#options;
    if (
      this.#before.generator !== generator ||
      this.#before.options !== options
    )
      return;
    for (const [folder, { source }] of Object.entries(this.#before.groups)) {
      if (source !== undefined) this.#unchanged.set(source, folder);
    }
  }

  #isDuplicate(folder: string, sink: Sink): boolean {
    if (!this.#groups.has(folder)) return false;
    sink.report("api-duplicate", `another document already gave ${folder}`);
    return true;
  }

  #reportEdited(plan: GroupPlan, sink: Sink): void {
    for (const { path: file, action } of plan.files) {
      if (action === "edited")
        sink.report("output-edited", `${file} is stale, but was edited`);
    }
  }
}

/** Texts are written or not needed: a large run must not hold them. */
function withoutTexts(plan: GroupPlan): GroupPlan {
  return {
    ...plan,
    files: plan.files.map((file) => ({
      path: file.path,
      action: file.action,
      hash: file.hash,
    })),
  };
}

/** Absolute and outside paths differ from machine to machine and are not recorded. */
function isPortable(spec: string): boolean {
  return (
    spec !== "-" &&
    !path.isAbsolute(spec) &&
    !spec.split(/[\\/]/).includes("..")
  );
}
