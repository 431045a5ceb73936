import type { Diagnostic, Severity } from "../diagnostics/types.js";

/** One finding about an overrides file, by offsets. */
export interface Finding {
  /** A row of the rules' catalogue. */
  readonly code: string;
  readonly severity: Severity;
  readonly offset: number;
  /** Length of what is meant, within its line. */
  readonly length: number;
  /** Place in the file, `virtualhosts[0].name`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /** It depends on the mode, and none was given. */
  readonly isModal?: true;
}

/** A finding as reports show it. */
export interface OverridesDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** Empty where there is nothing to suggest. */
  readonly suggestion: string;
}
