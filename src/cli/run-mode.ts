import type { OptionValues } from "../generate/options.js";
import { isChange, type PipelineResult } from "../generate/pipeline.js";
import type { Settings } from "../generate/settings.js";
import { Timings } from "../generate/timings.js";
import { exitCodeOf } from "./exit-code.js";

/** Returns the mode of a run. */
export function modeOf({
  check,
  dryRun,
}: Partial<OptionValues>): Settings["mode"] {
  if (check === true) return "check";
  return dryRun === true ? "dry-run" : "write";
}

/** Returns an object for the times of the stages, which `--verbose` prints. */
export function timingsOf({ verbose }: Partial<OptionValues>): {
  readonly timings?: Timings;
} {
  return verbose === true ? { timings: new Timings() } : {};
}

/**
 * Returns the exit code of the most severe error. Without errors, returns 1 if
 * `--check` finds changes, else 0.
 */
export function runExitCode(
  { plans, diagnostics }: PipelineResult,
  { check }: Partial<OptionValues>,
): number {
  const failure = exitCodeOf(diagnostics);
  if (failure !== undefined) return failure;
  const hasDrifted = plans.some(({ files }) => files.some(isChange));
  return check === true && hasDrifted ? 1 : 0;
}
