import { visibleJson } from "../../diagnostics/reporters/output.js";
import type { Comparison } from "../compare.js";
import { plainResult } from "../diff-documents.js";
import { githubReport } from "./github.js";
import { htmlReport } from "./html.js";
import { markdownReport } from "./markdown.js";
import { sarifReport } from "./sarif.js";
import { textReport, type TextOptions } from "./text.js";

/** Output formats of `gen diff`. */
export const FORMATS = [
  "text",
  "json",
  "markdown",
  "html",
  "github",
  "sarif",
] as const;
export type Format = (typeof FORMATS)[number];

/** Options of the reports in all formats. */
interface ReportOptions extends TextOptions {
  readonly format: Format;
  /**
   * True if the JSON report must be an array of comparisons, false for one
   * object.
   */
  readonly isSet: boolean;
  /** Version of the generator, for the SARIF report. */
  readonly version: string;
}

/** Formats the changes to all APIs in the selected format. */
export function reportOf(
  comparisons: readonly Comparison[],
  options: ReportOptions,
): string {
  switch (options.format) {
    case "text":
      return textReport(comparisons, options);
    case "json": {
      const results = comparisons.map(({ result }) => plainResult(result));
      return `${visibleJson(options.isSet ? results : (results[0] ?? null))}\n`;
    }
    case "markdown":
      return markdownReport(comparisons);
    case "html":
      return htmlReport(comparisons);
    case "github":
      return githubReport(comparisons);
    case "sarif":
      return sarifReport(comparisons, options.version);
  }
}
