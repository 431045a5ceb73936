import type { Diagnostic, Severity } from "../diagnostics/types.js";

/** Finding about an overrides file, located by offset. */
export interface Finding {
  /** Key of the rule catalogue. */
  readonly code: string;
  readonly severity: Severity;
  readonly offset: number;
  /** Length of the affected text, within one line. */
  readonly length: number;
  /**
   * Path of the property, such as `virtualhosts[0].name`; empty for the file
   * itself.
   */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /** True if the severity depends on the mode and no mode was given. */
  readonly dependsOnMode?: true;
}

/** Finding as reports show it, located by line and column. */
export interface OverridesDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** Empty without a suggestion. */
  readonly suggestion: string;
}
