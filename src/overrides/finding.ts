import type { Diagnostic, Severity } from "../diagnostics/types.js";

/** Finding about an overrides file. Its location is an offset in the text. */
export interface Finding {
  /** Code of the rule, such as `T03`. */
  readonly code: string;
  readonly severity: Severity;
  readonly offset: number;
  /**
   * Length of the affected text in characters. The text does not contain a line
   * break.
   */
  readonly length: number;
  /**
   * Path of the property, such as `virtualhosts[0].name`; empty for a finding
   * about the entire file.
   */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /**
   * True if the severity depends on the option `--mode` and the user did not
   * pass this option.
   */
  readonly dependsOnMode?: true;
}

/** Finding in a report. Its location is a line and a column. */
export interface OverridesDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** Suggested fix; empty if there is none. */
  readonly suggestion: string;
}
