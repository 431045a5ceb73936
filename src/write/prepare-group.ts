import type { OutputFile } from "../platform/output-file.js";
import type { Manifest } from "./manifest.js";
import {
  isChange,
  planGroup,
  withoutContents,
  type GroupPlan,
} from "./plan.js";
import {
  stageGroup,
  type StagedGroup,
  type StagingNames,
} from "./stage-group.js";

/** Information about the output folder for threads that prepare changes. */
export interface PrepareOptions {
  readonly out: string;
  readonly force: boolean;
  /** True to compare the files with the output without preparing changes. */
  readonly isReadOnly: boolean;
  /** Manifest entries before the run, keyed by folder of the API or runtime. */
  readonly before: Manifest["groups"];
}

/**
 * Planned changes to the files of an API or runtime, prepared in the staging
 * folder.
 */
export interface PreparedGroup {
  /** Plan without the contents of its files, to limit memory. */
  readonly plan: GroupPlan;
  /**
   * Prepared changes; absent if the plan contains no changes or would replace a
   * file that was not generated, or if the run writes no files.
   */
  readonly staged?: StagedGroup;
}

/**
 * Compares the files of an API or runtime with the output and prepares the
 * changes. The changes are not prepared if they would replace a file that was
 * not generated. Throws file system errors.
 * @param names function that returns the generator of names for prepared files;
 * called only if files change
 */
export function prepareGroup(
  folder: string,
  files: readonly OutputFile[],
  options: PrepareOptions,
  names: () => StagingNames,
): PreparedGroup {
  const { out, before, isReadOnly } = options;
  const texts = new Map(
    files.map((file) => [file.path.slice(folder.length + 1), file]),
  );
  const known = Object.hasOwn(before, folder) ? before[folder] : undefined;
  const plan = planGroup(folder, texts, known, options);
  const isStaged =
    !isReadOnly &&
    plan.files.some(isChange) &&
    !plan.files.some(({ action }) => action === "foreign");
  const short = withoutContents(plan);
  return isStaged
    ? { plan: short, staged: stageGroup(out, plan, names()) }
    : { plan: short };
}

/**
 * Returns the folder of the API or runtime to which the files belong: the first
 * two segments of their paths.
 */
export function groupFolderOf([first]: readonly OutputFile[]): string {
  return first!.path.split("/").slice(0, 2).join("/");
}
