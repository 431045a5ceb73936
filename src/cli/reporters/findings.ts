import type { Output } from "../../diagnostics/reporters/output.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import type { Diagnostic } from "../../diagnostics/types.js";

/** Prints errors and warnings on standard error. */
export function reportFindings(
  diagnostics: readonly Diagnostic[],
  output: Output,
): void {
  for (const finding of diagnostics)
    if (finding.severity !== "info")
      output.err(paragraph(finding, output.color));
}
