import { hasHash, hasText } from "./file-content.js";
import { hash } from "../platform/hash.js";
import { PathInspector } from "./path-inspector.js";
import type { ManifestGroup } from "./manifest.js";

/** What happens to a file. */
export type Action =
  "create" | "update" | "same" | "delete" | "foreign" | "edited";

/** One file of the plan; paths are relative to --out, with forward slashes. */
export interface PlannedFile {
  readonly path: string;
  readonly action: Action;
  /** The new text of files that are created or updated. */
  readonly text?: string;
  /** Hash of the text that is to be there, or was. */
  readonly hash: string;
}

/** The files of one group: an API's folder, or the runtime. */
export interface GroupPlan {
  readonly folder: string;
  readonly files: readonly PlannedFile[];
}

/** Settings of the plan. */
export interface PlanOptions {
  readonly out: string;
  /** Overwrite and delete what is not ours, or no longer. */
  readonly force: boolean;
}

/**
 * Compares the new files of a group with what is there. Ours are the files of
 * the manifest; anything else in the way is foreign.
 */
export function planGroup(
  folder: string,
  files: ReadonlyMap<string, string>,
  before: ManifestGroup | undefined,
  options: PlanOptions,
): GroupPlan {
  const planned: PlannedFile[] = [];
  const inspector = new PathInspector(options.out);
  for (const [name, text] of files) {
    const relative = `${folder}/${name}`;
    const isOurs = before !== undefined && Object.hasOwn(before.files, name);
    planned.push(planFile(relative, text, isOurs, inspector, options));
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
  text: string,
  isOurs: boolean,
  inspector: PathInspector,
  { out, force }: PlanOptions,
): PlannedFile {
  const file = { path: relative, text, hash: hash(text) };
  const found = inspector.inspect(relative);
  if (found === "absent") return { ...file, action: "create" };
  if (found === "obstacle") return { ...file, action: "foreign" };
  if (hasText(out, relative, found.size, text))
    return { path: relative, hash: file.hash, action: "same" };
  return { ...file, action: isOurs || force ? "update" : "foreign" };
}

/** A stale file of ours goes, unless somebody made it theirs by editing it. */
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

/** Whether all files of a group have the hashes that are given. */
export function isIntact(
  folder: string,
  files: Readonly<Record<string, string>>,
  out: string,
): boolean {
  const inspector = new PathInspector(out);
  return Object.entries(files).every(([name, expected]) =>
    hasHash(out, `${folder}/${name}`, inspector, expected),
  );
}

/** A plan in which nothing happens to a group that is intact. */
export function unchangedPlan(
  folder: string,
  files: Readonly<Record<string, string>>,
): GroupPlan {
  return {
    folder,
    files: Object.entries(files).map(([name, known]) => ({
      path: `${folder}/${name}`,
      hash: known,
      action: "same",
    })),
  };
}

/** Whether an action changes what is on disk. */
export function isChange({ action }: Pick<PlannedFile, "action">): boolean {
  return action === "create" || action === "update" || action === "delete";
}
