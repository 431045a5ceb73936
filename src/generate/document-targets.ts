import type { Sink } from "../diagnostics/sink.js";
import { targetsOf } from "../targets/index.js";
import type { Target } from "../targets/target.js";
import type { CachedOutput } from "../write/output-cache.js";
import type { ApiSettings } from "./api-settings.js";

/** Names of the targets in the existing output, keyed by API folder. */
export type ExistingTargets = Readonly<Record<string, readonly string[]>>;

/**
 * Tests whether cached output contains the output of all targets to generate
 * for the document.
 */
export function hasTargets(
  { folder, targets }: Pick<CachedOutput, "folder" | "targets">,
  settings: ApiSettings,
  existing: ExistingTargets,
): boolean {
  const expected = targetNames(targetsFor(folder, settings, existing));
  return expected.join() === targets.join();
}

/**
 * Returns the targets to generate for an API folder: the requested targets and
 * those in its existing output. Reports targets that are not requested.
 */
export function withExistingTargets(
  folder: string,
  settings: ApiSettings,
  existing: ExistingTargets,
  sink: Sink,
): Target[] {
  const targets = targetsFor(folder, settings, existing);
  const requested = new Set(targetNames(targetsOf(settings.target)));
  const added = targetNames(targets).filter((name) => !requested.has(name));
  if (added.length === 0) return targets;
  sink.report(
    "target-kept",
    `${folder} also contains the output of other targets (${added.join(", ")}), which will also be generated again`,
  );
  return targets;
}

function targetsFor(
  folder: string,
  { target }: ApiSettings,
  existing: ExistingTargets,
): Target[] {
  return targetsOf([...target, ...(existing[folder] ?? [])]);
}

/** Returns the names of targets. */
export function targetNames(targets: readonly Target[]): string[] {
  return targets.map(({ name }) => name);
}
