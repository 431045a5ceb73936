/** What was done to a key. */
export interface Change {
  /** In the file as it was, from 1. */
  readonly line: number;
  readonly path: string;
  readonly action: "added" | "moved" | "removed" | "renamed";
  readonly message: string;
}

/** Something that the file said and that has to be said elsewhere now. */
export interface Instruction {
  readonly subject:
    | "environment group"
    | "proxy"
    | "service mesh"
    | "certificate manager"
    | "other";
  /** Name of the group, where the subject has one. */
  readonly name?: string;
  readonly text: string;
}

/** A comment that went with what it stood in. */
export interface LostComment {
  readonly line: number;
  readonly text: string;
}

/** What a rewriting did, and what it leaves to do. */
export interface RewriteReport {
  readonly file: string;
  /** The version that the file looked like. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
  readonly instructions: readonly Instruction[];
  readonly comments: readonly LostComment[];
  readonly warnings: readonly string[];
  /** Why nothing was done; empty where something was, or nothing had to be. */
  readonly refusals: readonly string[];
}
