import { SEVERITY_RANK } from "../../diagnostics/severity.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import type { PipelineResult } from "../../generate/pipeline.js";
import type { OptionValues } from "../../generate/options.js";
import { driftOf } from "./drift.js";
import { version } from "#built/runtime.js";
import { annotations } from "../../diagnostics/reporters/github.js";
import {
  visibleJson,
  type Output,
} from "../../diagnostics/reporters/output.js";
import { sarifLog } from "../../diagnostics/reporters/sarif.js";
import { summary } from "./summary.js";
import { paragraph } from "../../diagnostics/reporters/text.js";

/** Prints the findings and the summary of a run. */
export function report(
  result: PipelineResult,
  values: OptionValues,
  output: Output,
): void {
  if (values.format === "json") {
    output.out(`${json(result, values)}\n`);
    return;
  }
  const findings = [
    ...shown(result.diagnostics, values),
    ...(values.format !== "text" && values.check === true
      ? driftOf(result.plans, values)
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
  const isPreview = values.dryRun === true || values.check === true;
  const isVerbose = values.verbose === true;
  output.out(summary(result, { isPreview, isVerbose }));
}

function json(
  { plans, diagnostics, total, failed }: PipelineResult,
  values: OptionValues,
): string {
  const files = plans
    .flatMap((plan) => plan.files.map(({ path, action }) => ({ path, action })))
    .filter(({ action }) => values.verbose === true || action !== "same");
  return visibleJson({
    documents: total,
    failed,
    files,
    diagnostics: shown(diagnostics, values),
  });
}

/**
 * Filters diagnostics by the severity that `--quiet` and `--verbose` select.
 */
function shown(
  diagnostics: readonly Diagnostic[],
  { quiet, verbose }: OptionValues,
): Diagnostic[] {
  const limit = quiet === true ? 0 : verbose === true ? 2 : 1;
  return diagnostics.filter(({ severity }) => SEVERITY_RANK[severity] <= limit);
}
