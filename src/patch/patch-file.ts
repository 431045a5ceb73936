import type { Diagnostic } from "../diagnostics/types.js";
import { catalogue, type Code } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import type { OperationKind } from "./operation-table.js";

/** Position in a patch file. */
export interface PatchPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Change to a document. Its position is that of its first key. */
export interface PatchOperation {
  readonly kind: OperationKind;
  /** Address of the target; for `scopes`, a glob over the ids of methods. */
  readonly at: string;
  readonly value?: unknown;
  /** New name; only for `rename`. */
  readonly to?: string;
  /** Value before the change. */
  readonly expect?: unknown;
  /** Start of the digest of the value before the change. */
  readonly expectDigest?: string;
  /** Ids of methods; only for `require`. */
  readonly methods?: readonly string[];
  /** Reason for the change, for people; not part of the output. */
  readonly reason?: string;
  readonly line: number;
  readonly column: number;
}

/** Operation without a position in a file. */
export type NewOperation = Omit<PatchOperation, "line" | "column">;

/** Checked content of a patch file. It is plain data. */
export interface PatchFile {
  /** Path as the user typed it. */
  readonly file: string;
  /** Name and version of the API: `drive:v3`. */
  readonly api: string;
  /** Position of `api`. */
  readonly line: number;
  readonly column: number;
  /** Revision of the document that the patch was written for. */
  readonly revision?: string;
  /** Digest of the only document that the patch may change. */
  readonly digest?: string;
  readonly operations: readonly PatchOperation[];
}

/** Adds a finding about a position in a patch file to the findings of a sink. */
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
