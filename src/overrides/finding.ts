import type { Diagnostic, Severity } from "../diagnostics/types.js";

/** Finding about an overrides file, located by its offset in the text. */
export interface Finding {
  /** Code of the rule, such as `T03`. */
  readonly code: string;
  readonly severity: Severity;
  readonly offset: number;
  /** Number of affected characters, all on one line. */
  readonly length: number;
  /**
   * Path of the property, such as `virtualhosts[0].name`; empty for a finding
   * about the complete file.
   */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /**
   * True if the severity depends on the option `--mode`, which was not passed.
   */
  readonly dependsOnMode?: true;
}

/** Finding in a report, located by line and column. */
export interface OverridesDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** Suggested fix; empty if there is none. */
  readonly suggestion: string;
}
