import { SEVERITY_RANK } from "../../diagnostics/severity.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import type { OptionValues } from "../../generate/options.js";
import type { Timings } from "../../generate/timings.js";
import { driftOf } from "./drift.js";
import { version } from "#built/runtime.js";
import { annotations } from "../../diagnostics/reporters/github.js";
import {
  visibleJson,
  type Output,
} from "../../diagnostics/reporters/output.js";
import { sarifLog } from "../../diagnostics/reporters/sarif.js";
import type { ReportedResult } from "./reported-result.js";
import { summary } from "./summary.js";
import { paragraph } from "../../diagnostics/reporters/text.js";

/** Optional contents of a report. */
export interface ReportDetails {
  /** Durations of the stages, to be printed. */
  readonly timings?: Timings;
  /**
   * Command that generates the output. Default: a command with the option
   * values of the run.
   */
  readonly command?: string;
}

/** Prints the findings and the summary of a run. */
export function reportRun(
  result: ReportedResult,
  values: OptionValues,
  output: Output,
  { timings, command }: ReportDetails = {},
): void {
  if (values.format === "json") {
    output.out(`${json(result, values, timings)}\n`);
    return;
  }
  const findings = [
    ...shown(result.diagnostics, values),
    ...(values.format !== "text" && values.check === true
      ? driftOf(result.plans, values, command)
      : []),
  ];
  if (values.format === "sarif") {
    output.out(sarifLog(findings, { name: "gen", version }));
    return;
  }
  if (values.format === "github") output.err(annotations(findings));
  else
    for (const finding of findings)
      output.err(paragraph(finding, output.color));
  if (values.quiet === true) return;
  if (timings !== undefined) output.err(timingLine(timings));
  const isPreview = values.dryRun === true || values.check === true;
  const isVerbose = values.verbose === true;
  output.out(summary(result, { isPreview, isVerbose }));
}

function timingLine({ times }: Timings): string {
  const parts = Object.entries(times).map(
    ([stage, time]) => `${stage} ${time.toFixed(1)} ms`,
  );
  return `stages: ${parts.join(", ")}\n`;
}

function json(
  { plans, diagnostics, total, failed }: ReportedResult,
  values: OptionValues,
  timings: Timings | undefined,
): string {
  const files = plans
    .flatMap(({ out, files: planned }) =>
      planned.map(({ path, action }) => ({
        ...(out === undefined ? {} : { out }),
        path,
        action,
      })),
    )
    .filter(({ action }) => values.verbose === true || action !== "same");
  return visibleJson({
    documents: total,
    failed,
    files,
    diagnostics: shown(diagnostics, values),
    ...(timings === undefined ? {} : { milliseconds: timings.times }),
  });
}

/** Filters diagnostics by severity according to `--quiet` and `--verbose`. */
function shown(
  diagnostics: readonly Diagnostic[],
  { quiet, verbose }: OptionValues,
): Diagnostic[] {
  const limit = quiet === true ? 0 : verbose === true ? 2 : 1;
  return diagnostics.filter(({ severity }) => SEVERITY_RANK[severity] <= limit);
}
