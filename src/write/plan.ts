import { hasContent, hasHash, hasLargeContent } from "./file-content.js";
import type { Sink } from "../diagnostics/sink.js";
import { hash, hashParts } from "../platform/hash.js";
import type { OutputFile } from "../platform/output-file.js";
import { PathInspector } from "./path-inspector.js";
import type { ManifestGroup } from "./manifest.js";

/** Planned action for a file. */
export type Action =
  "create" | "update" | "same" | "delete" | "foreign" | "edited";

/** File in a plan. Its path is relative to `--out`, with forward slashes. */
export interface PlannedFile {
  readonly path: string;
  readonly action: Action;
  /**
   * New content; present for `create` and `update`. Encoded only once, because
   * the same bytes are hashed, compared and written. Large content remains a
   * string, so that it is not in memory twice.
   */
  readonly content?: string | Uint8Array;
  /** Hash of the new content; for deletions, hash of the old content. */
  readonly hash: string;
}

/**
 * Minimum length in characters of content that remains a string instead of being
 * encoded.
 */
const MIN_STRING_LENGTH = 1 << 20;

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
  files: ReadonlyMap<string, OutputFile>,
  before: ManifestGroup | undefined,
  options: PlanOptions,
): GroupPlan {
  const planned: PlannedFile[] = [];
  const inspector = new PathInspector(options.out);
  for (const [name, file] of files) {
    const relative = `${folder}/${name}`;
    const isOurs = before !== undefined && Object.hasOwn(before.files, name);
    planned.push(planFile(relative, file, isOurs, inspector, options));
  }
  for (const [name, oldHash] of Object.entries(before?.files ?? {})) {
    if (!files.has(name))
      planned.push(
        ...planDeletion(`${folder}/${name}`, oldHash, inspector, options),
      );
  }
  return { folder, files: planned };
}

function planFile(
  relative: string,
  source: OutputFile,
  isOurs: boolean,
  inspector: PathInspector,
  { out, force }: PlanOptions,
): PlannedFile {
  const { content, hash: digest } = contentOf(source);
  const file = { path: relative, content, hash: digest };
  const state = inspector.inspect(relative);
  if (state === "absent") return { ...file, action: "create" };
  if (state === "obstacle") return { ...file, action: "foreign" };
  const isSame =
    content instanceof Uint8Array
      ? hasContent(out, relative, state.size, content)
      : hasLargeContent(out, relative, content.length * 6, digest);
  if (isSame) return { path: relative, hash: digest, action: "same" };
  return { ...file, action: isOurs || force ? "update" : "foreign" };
}

function contentOf({ text }: OutputFile): {
  readonly content: string | Buffer;
  readonly hash: string;
} {
  if (text.length >= MIN_STRING_LENGTH)
    return { content: text, hash: hashParts(text) };
  const content = Buffer.from(text);
  return { content, hash: hash(content) };
}

/**
 * Plans the deletion of an obsolete generated file. A file that was edited is
 * not deleted.
 */
function planDeletion(
  relative: string,
  oldHash: string,
  inspector: PathInspector,
  { out, force }: PlanOptions,
): PlannedFile[] {
  if (typeof inspector.inspect(relative) === "string") return [];
  const isDeleted = force || hasHash(out, relative, inspector, oldHash);
  const action = isDeleted ? "delete" : "edited";
  return [{ path: relative, hash: oldHash, action }];
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
 * Returns a plan without the contents of its files, to limit the memory that
 * large runs use.
 */
export function withoutContents(plan: GroupPlan): GroupPlan {
  return {
    ...plan,
    files: plan.files.map(({ path: name, action, hash: digest }) => ({
      path: name,
      action,
      hash: digest,
    })),
  };
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
