import { version } from "#built/runtime.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { annotations } from "../../diagnostics/reporters/github.js";
import {
  visibleJson,
  type Output,
} from "../../diagnostics/reporters/output.js";
import { sarifLog } from "../../diagnostics/reporters/sarif.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import type { Diagnostic, Severity } from "../../diagnostics/types.js";
import type { ValidationResult } from "../../generate/validate-sources.js";

/** Prints the findings of a validation on standard output. */
export function reportValidation(
  { documents, diagnostics }: ValidationResult,
  format: "text" | "json" | "github" | "sarif",
  output: Output,
): void {
  switch (format) {
    case "json":
      output.out(
        `${visibleJson({ documents, ...countsOf(diagnostics), diagnostics })}\n`,
      );
      break;
    case "sarif":
      output.out(sarifLog(diagnostics, { name: "gen validate", version }));
      break;
    case "github":
      output.out(annotations(diagnostics));
      break;
    case "text":
      output.out(textOf(documents, diagnostics, output.color));
  }
}

function textOf(
  documents: number,
  diagnostics: readonly Diagnostic[],
  color: boolean,
): string {
  const findings = diagnostics.map((finding) => paragraph(finding, color));
  const { errors, warnings, infos } = countsOf(diagnostics);
  const counts = [
    formatCount(errors, "error"),
    formatCount(warnings, "warning"),
    formatCount(infos, "info"),
  ].join(", ");
  return `${[...findings, ...fixes(diagnostics)].join("")}${formatCount(documents, "document")}: ${counts}\n`;
}

/**
 * Returns a line with the fix for each code. Errors are omitted, because they
 * are printed together with their fix.
 */
function fixes(diagnostics: readonly Diagnostic[]): string[] {
  const byCode = new Map(
    diagnostics
      .filter(({ severity, fix }) => severity !== "error" && fix !== undefined)
      .map(({ code, fix }) => [code, fix!]),
  );
  if (byCode.size === 0) return [];
  const lines = [...byCode].map(([code, fix]) => `  ${code}: ${fix}\n`);
  return ["\nFixes:\n", ...lines.sort(), "\n"];
}

function countsOf(diagnostics: readonly Diagnostic[]): {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
} {
  const count = (severity: Severity): number =>
    diagnostics.filter((finding) => finding.severity === severity).length;
  return {
    errors: count("error"),
    warnings: count("warning"),
    infos: count("info"),
  };
}
