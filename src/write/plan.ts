import type { Sink } from "../diagnostics/sink.js";
import { hash } from "../platform/hash.js";
import type { OutputFile } from "../platform/output-file.js";
import { hasContent, hasHash, PathInspector } from "./existing-files.js";
import type { ManifestGroup } from "./manifest.js";

/** Planned action for a file. */
export type Action =
  "create" | "update" | "same" | "delete" | "foreign" | "edited";

/** File in a plan. Its path is relative to `--out`, with forward slashes. */
export interface PlannedFile {
  readonly path: string;
  readonly action: Action;
  /** New content; present for `create` and `update`. */
  readonly content?: string;
  /** Hash of the new content; for deletions, hash of the old content. */
  readonly hash: string;
}

/** Planned files in the folder of an API or runtime. */
export interface GroupPlan {
  readonly folder: string;
  readonly files: readonly PlannedFile[];
}

/** Options of `planGroup`, which compares files with the output. */
export interface PlanOptions {
  readonly out: string;
  /**
   * True to overwrite and delete files that were not generated or that were
   * edited.
   */
  readonly force: boolean;
}

/**
 * Compares the new files of an API or runtime with the existing files. The plan
 * replaces only files that the manifest lists. Other existing files are
 * `foreign`, and are replaced only with `force`.
 */
export function planGroup(
  folder: string,
  files: readonly OutputFile[],
  before: ManifestGroup | undefined,
  options: PlanOptions,
): GroupPlan {
  const known = before?.files ?? {};
  const inspector = new PathInspector(options.out);
  const planned = files.map((file) => {
    const isListed = Object.hasOwn(known, file.path.slice(folder.length + 1));
    return planFile(file, isListed, inspector, options);
  });
  const paths = new Set(files.map(({ path }) => path));
  const obsolete = Object.entries(known)
    .map(([name, oldHash]) => [`${folder}/${name}`, oldHash] as const)
    .filter(([relative]) => !paths.has(relative))
    .flatMap((entry) => planDeletion(...entry, inspector, options));
  return { folder, files: [...planned, ...obsolete] };
}

function planFile(
  { path, text }: OutputFile,
  isListed: boolean,
  inspector: PathInspector,
  { out, force }: PlanOptions,
): PlannedFile {
  const file = { path, content: text, hash: hash(text) };
  const state = inspector.inspect(path);
  if (state === "absent") return { ...file, action: "create" };
  if (state === "obstacle") return { ...file, action: "foreign" };
  if (hasContent(out, path, state.size, text))
    return { path, hash: file.hash, action: "same" };
  return { ...file, action: isListed || force ? "update" : "foreign" };
}

/**
 * Plans the deletion of an obsolete generated file. A file that was edited is
 * not deleted.
 */
function planDeletion(
  path: string,
  oldHash: string,
  inspector: PathInspector,
  { out, force }: PlanOptions,
): PlannedFile[] {
  if (typeof inspector.inspect(path) === "string") return [];
  const isDeleted = force || hasHash(out, path, inspector, oldHash);
  return [{ path, hash: oldHash, action: isDeleted ? "delete" : "edited" }];
}

/** Returns a plan in which the files of an API or runtime are not changed. */
export function unchangedPlan(
  folder: string,
  files: Readonly<Record<string, string>>,
): GroupPlan {
  return {
    folder,
    files: Object.entries(files).map(([name, digest]) => ({
      path: `${folder}/${name}`,
      hash: digest,
      action: "same",
    })),
  };
}

/** Tests whether an action changes a file. */
export function isChange({ action }: Pick<PlannedFile, "action">): boolean {
  return action === "create" || action === "update" || action === "delete";
}

/**
 * Returns the hashes that the files will have after the plan is executed, keyed
 * by path relative to the folder of the API or runtime.
 */
export function hashesOf({ folder, files }: GroupPlan): Record<string, string> {
  return Object.fromEntries(
    files
      .filter(({ action }) => action !== "delete" && action !== "edited")
      .map((file) => [file.path.slice(folder.length + 1), file.hash]),
  );
}

/**
 * Reports files that are not changed because they were not generated or were
 * edited.
 */
export function reportObstacles(
  { files }: GroupPlan,
  out: string,
  sink: Sink,
): void {
  for (const { path: file, action } of files) {
    if (action === "foreign")
      sink.report(
        "output-foreign",
        `${file} in ${out} exists, but was not generated`,
      );
    if (action === "edited")
      sink.report(
        "output-edited",
        `${file} is obsolete but was not deleted, because it was edited`,
      );
  }
}
