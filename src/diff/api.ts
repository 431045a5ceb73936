import { locate } from "../diagnostics/locate.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadBytes } from "../load/load.js";
import type { RawDocument } from "../load/raw.js";
import { diffDocuments, plainResult } from "./diff-documents.js";

import type { DiffOptions, DiffResult } from "./severity.js";

export type {
  Bump,
  Change,
  DiffOptions,
  DiffResult,
  Severity,
  Stability,
} from "./severity.js";

/** Result of `diff`, the comparison of two documents. */
export interface DiffOutcome {
  /**
   * Changes between the documents; absent if one of the documents is invalid.
   */
  readonly result?: DiffResult;
  /**
   * Errors in the documents. The member `file` of an error is `old` or `new`.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares two versions of an API's document, each given as JSON text or bytes.
 * Never throws: errors in the documents are returned as diagnostics.
 */
export function diff(
  old: string | Uint8Array,
  now: string | Uint8Array,
  options: DiffOptions = {},
): DiffOutcome {
  const diagnostics: Diagnostic[] = [];
  const [before, after] = [
    documentOf(old, "old", diagnostics),
    documentOf(now, "new", diagnostics),
  ];
  if (before === undefined || after === undefined) return { diagnostics };
  const result = plainResult(diffDocuments(before, after, options));
  return { result, diagnostics };
}

function documentOf(
  bytes: string | Uint8Array,
  name: string,
  diagnostics: Diagnostic[],
): RawDocument | undefined {
  const { document, sink, text } = loadBytes(Buffer.from(bytes), name);
  const errors = sink.diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  diagnostics.push(...(text === undefined ? errors : locate(errors, text)));
  return document;
}
