import type { Diagnostic } from "../diagnostics/types.js";
import { catalogue, type Code } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import type { OperationKind } from "./operation-table.js";

export interface PatchPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Patch operation, with the position of its first key in the patch file. */
export interface PatchOperation {
  readonly kind: OperationKind;
  /** Address of the target; for `scopes`, a glob of method ids. */
  readonly at: string;
  readonly value?: unknown;
  /** New name; present only in `rename` operations. */
  readonly to?: string;
  /** Value that the document must contain before the change. */
  readonly expect?: unknown;
  /** Start of the digest of the value before the change. */
  readonly expectDigest?: string;
  /** Ids of methods; present only in `require` operations. */
  readonly methods?: readonly string[];
  /**
   * Reason for the change, for readers of the patch; not part of the output.
   */
  readonly reason?: string;
  readonly line: number;
  readonly column: number;
}

/** Operation without a position in a patch file. */
export type NewOperation = Omit<PatchOperation, "line" | "column">;

/**
 * Checked content of a patch file. It contains only plain data, so that it can
 * be sent to worker threads.
 */
export interface PatchFile {
  /** Path of the patch file as the user typed it. */
  readonly file: string;
  /** Name and version of the API, such as `drive:v3`. */
  readonly api: string;
  /** Line of the key `api`. */
  readonly line: number;
  readonly column: number;
  /** Revision of the document for which the patch was written. */
  readonly revision?: string;
  /** Digest of the only document to which the patch can be applied. */
  readonly digest?: string;
  readonly operations: readonly PatchOperation[];
}

/**
 * Adds a finding with a position in a patch file to the collected diagnostics.
 */
export function reportAt(
  sink: Sink,
  code: Code,
  message: string,
  { file, line, column }: PatchPosition,
  details: Pick<Diagnostic, "pointer"> = {},
): void {
  const { severity, cause, fix } = catalogue[code];
  const text = { code, severity, message, cause, fix };
  sink.diagnostics.push({ ...text, file, line, column, ...details });
}
