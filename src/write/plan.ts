import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ManifestGroup } from "./manifest.js";
import { hash } from "./manifest.js";

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

/** What of a path is there: nothing, a plain file, or something in the way. */
type Found = "absent" | "file" | "obstacle";

/** Looks at a path below --out without following links: those lead elsewhere. */
function look(out: string, relative: string): Found {
  let current = out;
  const parts = relative.split("/");
  for (const [index, part] of parts.entries()) {
    current = path.join(current, part);
    const stats = lstatSync(current, { throwIfNoEntry: false });
    if (stats === undefined) return "absent";
    if (index < parts.length - 1 ? !stats.isDirectory() : !stats.isFile())
      return "obstacle";
  }
  return "file";
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
  for (const [name, text] of files) {
    const relative = `${folder}/${name}`;
    const isOurs = before?.files[name] !== undefined;
    planned.push(planFile(relative, text, isOurs, options));
  }
  for (const [name, oldHash] of Object.entries(before?.files ?? {})) {
    if (!files.has(name))
      planned.push(...planDeletion(`${folder}/${name}`, oldHash, options));
  }
  return { folder, files: planned };
}

function planFile(
  relative: string,
  text: string,
  isOurs: boolean,
  { out, force }: PlanOptions,
): PlannedFile {
  const file = { path: relative, text, hash: hash(text) };
  const found = look(out, relative);
  if (found === "absent") return { ...file, action: "create" };
  if (found === "obstacle") return { ...file, action: "foreign" };
  const current = readFileSync(path.join(out, relative));
  if (current.equals(Buffer.from(text)))
    return { path: relative, hash: file.hash, action: "same" };
  return { ...file, action: isOurs || force ? "update" : "foreign" };
}

/** A stale file of ours goes, unless somebody made it theirs by editing it. */
function planDeletion(
  relative: string,
  oldHash: string,
  { out, force }: PlanOptions,
): PlannedFile[] {
  if (look(out, relative) !== "file") return [];
  const isEdited = hash(readFileSync(path.join(out, relative))) !== oldHash;
  return [
    {
      path: relative,
      hash: oldHash,
      action: isEdited && !force ? "edited" : "delete",
    },
  ];
}

/** Whether all files of a group are as the manifest says. */
export function isIntact(
  folder: string,
  group: ManifestGroup,
  out: string,
): boolean {
  return Object.entries(group.files).every(([name, expected]) => {
    const relative = `${folder}/${name}`;
    return (
      look(out, relative) === "file" &&
      hash(readFileSync(path.join(out, relative))) === expected
    );
  });
}

/** A plan in which nothing happens to a group that is intact. */
export function untouched(folder: string, group: ManifestGroup): GroupPlan {
  return {
    folder,
    files: Object.entries(group.files).map(([name, known]) => ({
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
