/** Change of a key. */
export interface RewriteChange {
  /** 1-based line in the original file. */
  readonly line: number;
  readonly path: string;
  readonly action: "added" | "moved" | "removed" | "renamed";
  readonly message: string;
}

/** Setting of the original file that must be configured in another system. */
export interface Instruction {
  readonly subject:
    | "environment group"
    | "proxy"
    | "service mesh"
    | "certificate manager"
    | "other";
  /** Name of the environment group, if the subject has one. */
  readonly name?: string;
  readonly text: string;
}

/** Comment that was removed with the block around it. */
export interface RemovedComment {
  readonly line: number;
  readonly text: string;
}

/** Changes of a rewritten file, and the remaining tasks. */
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
   * Reasons for not rewriting the file; empty if it was rewritten or needed no
   * changes.
   */
  readonly refusals: readonly string[];
}
