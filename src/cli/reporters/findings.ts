import { annotation } from "../../diagnostics/reporters/github.js";
import type { Output } from "../../diagnostics/reporters/output.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import type { OptionRow } from "../../generate/options.js";

/** Option that sets the format of findings and results. */
export const formatOption: OptionRow = {
  name: "format",
  kind: "choice",
  value: "name",
  choices: ["text", "json", "github"],
  default: "text",
  description: "format of the findings and the result",
};

/** Value of the option {@link formatOption}. */
export type Format = "text" | "json" | "github";

/** Prints errors and warnings on standard error. */
export function reportFindings(
  diagnostics: readonly Diagnostic[],
  format: Format,
  output: Output,
): void {
  for (const finding of diagnostics)
    if (finding.severity !== "info")
      output.err(
        format === "github"
          ? annotation(finding)
          : paragraph(finding, output.color),
      );
}
