import type { OptionValues } from "../generate/options.js";
import { isChange, type PipelineResult } from "../generate/pipeline.js";
import type { Settings } from "../generate/settings.js";
import { Timings } from "../generate/timings.js";
import { exitCodeOf } from "./exit-code.js";

/** Returns the mode of a run according to the options. */
export function modeOf({
  check,
  dryRun,
}: Partial<OptionValues>): Settings["mode"] {
  if (check === true) return "check";
  return dryRun === true ? "dry-run" : "write";
}

/**
 * Returns an object that collects the durations of the stages, which
 * `--verbose` prints.
 */
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
  result: PipelineResult,
  values: Partial<OptionValues>,
): number {
  const failure = exitCodeOf(result.diagnostics);
  if (failure !== undefined) return failure;
  return isDrifted(result, values) ? 1 : 0;
}

/** Returns true if `--check` found files that are out of date. */
export function isDrifted(
  { plans }: Pick<PipelineResult, "plans">,
  { check }: Partial<OptionValues>,
): boolean {
  return check === true && plans.some(({ files }) => files.some(isChange));
}
