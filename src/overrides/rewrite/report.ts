/** Key that the rewrite added, changed or removed. */
export interface RewriteChange {
  /** Line number in the original file, counted from 1. */
  readonly line: number;
  readonly path: string;
  readonly action: "added" | "moved" | "removed" | "renamed";
  readonly message: string;
}

/**
 * Task that remains for the user: a setting that must now be configured in
 * another system.
 */
export interface Instruction {
  readonly subject:
    | "environment group"
    | "proxy"
    | "service mesh"
    | "certificate manager"
    | "other";
  /**
   * Name of the environment group; absent if the instruction does not apply to
   * an environment group.
   */
  readonly name?: string;
  readonly text: string;
}

/** Comment that was removed together with its block. */
export interface RemovedComment {
  readonly line: number;
  readonly text: string;
}

/** Changes to a rewritten file, and the remaining tasks for the user. */
export interface RewriteReport {
  readonly file: string;
  /** Detected version of the original file. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly RewriteChange[];
  readonly instructions: readonly Instruction[];
  readonly comments: readonly RemovedComment[];
  readonly warnings: readonly string[];
  /**
   * Reasons why the file was not rewritten; empty if it was rewritten or needed
   * no changes.
   */
  readonly refusals: readonly string[];
}
