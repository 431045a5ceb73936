import { lstatSync } from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { canonicalValue, documentDigest } from "../load/canonical.js";
import { parseBytes } from "../load/parse.js";
import { makeFolder } from "../platform/folders.js";
import { refuseStray } from "../platform/output-path.js";
import { readFileLimited } from "../platform/read-limited.js";
import { clearLeftovers, replaceFile } from "../platform/replace-file.js";
import { isRevision } from "./lock-entry.js";
import type { RemoteDocument } from "./remote-document.js";

/** Document that is stored in a file of the project. */
export interface StoredDocument {
  readonly revision?: string;
  readonly digest: string;
}

/**
 * Reads the revision and digest of a stored document; returns undefined if the
 * file is missing. Throws file system errors, and an error if the file is not a
 * description document.
 */
export function readStored(file: string): StoredDocument | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
    return undefined;
  const sink = new Sink();
  const parsed = parseBytes(readFileLimited(file), "the file", sink);
  if (parsed === undefined || !isObject(parsed.value))
    throw new Error(
      sink.diagnostics[0]?.message ?? "the file must contain a JSON object",
    );
  const { revision } = parsed.value;
  return {
    ...(isRevision(revision) ? { revision } : {}),
    digest: documentDigest(parsed.value),
  };
}

/**
 * Stores a document with sorted keys and an indentation of two spaces, so that
 * a new revision causes only a small diff. Throws file system errors.
 */
export function writeStored(
  file: string,
  document: RemoteDocument,
  cwd: string,
): void {
  refuseStray(file, cwd);
  makeFolder(path.dirname(file));
  clearLeftovers(file);
  replaceFile(file, storedBytes(document));
}

function storedBytes({ value, bytes }: RemoteDocument): Buffer {
  try {
    return Buffer.from(
      `${JSON.stringify(canonicalValue(value), undefined, 2)}\n`,
    );
  } catch (error) {
    // Serializing a deeply nested value overflows the stack. In this case, the
    // original bytes are stored.
    if (error instanceof RangeError) return bytes;
    throw error;
  }
}
