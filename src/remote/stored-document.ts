import path from "node:path";
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { canonicalValue, documentDigest } from "../load/canonical.js";
import { parseBytes } from "../load/parse.js";
import { makeFolder } from "../platform/folders.js";
import { refuseStray } from "../platform/output-path.js";
import { readFileLimited } from "../platform/read-limited.js";
import {
  CACHE_FILE,
  clearLeftovers,
  replaceFile,
} from "../platform/replace-file.js";
import { isRevision } from "./lock-file.js";
import type { RemoteDocument } from "./remote-document.js";
import { hash } from "../platform/hash.js";
import { readPlainFile } from "../platform/plain-file.js";
import { userFolder } from "../platform/user-folder.js";

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
  const value = readStoredValue(file);
  if (value === undefined) return undefined;
  const { revision } = value;
  return {
    ...(isRevision(revision) ? { revision } : {}),
    digest: documentDigest(value),
  };
}

/**
 * Parses a stored document; returns undefined if the file is missing. Throws in
 * the same cases as `readStored`.
 */
export function readStoredValue(
  file: string,
): Readonly<Record<string, unknown>> | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
    return undefined;
  const sink = new Sink();
  const parsed = parseBytes(readFileLimited(file), "the file", sink);
  if (parsed === undefined || !isObject(parsed.value))
    throw new Error(
      sink.diagnostics[0]?.message ?? "the file must contain a JSON object",
    );
  return parsed.value;
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

/** Returns the text of a stored document: sorted keys, two spaces. */
export function storedBytes({ value, bytes }: RemoteDocument): Buffer {
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

/**
 * Milliseconds that must pass between the last change to a file and its check.
 * File systems store timestamps with low resolution, so a file could change
 * twice within the same timestamp.
 */
const SETTLED = 2_000;

/** Digest of a document, with the state of its file when it was read. */
interface VerifiedFile extends StoredDocument {
  /** Size, times and inode number of the file. */
  readonly state: string;
}

/**
 * Cache of the digests of stored documents. A digest is valid as long as the
 * state of its file is unchanged, so most runs need not parse the documents.
 * The cache is a file in the user's cache folder. Without this folder, all
 * documents are parsed.
 */
export class VerifiedFiles {
  readonly #project: string;
  readonly #previous: ReadonlyMap<string, VerifiedFile>;
  readonly #current = new Map<string, VerifiedFile>();
  #isChanged = false;

  /** @param project folder of the lock file */
  constructor(project: string) {
    this.#project = project;
    this.#previous = readRecords(project);
  }

  /**
   * Reads the digest of a stored document; returns undefined if the file is
   * missing.
   */
  read(file: string): StoredDocument | undefined {
    const before = stateOf(file);
    const known = this.#previous.get(file);
    if (before !== undefined && known?.state === before.state) {
      this.#current.set(file, known);
      return known;
    }
    const stored = readStored(file);
    const after = stateOf(file);
    const isStable = before !== undefined && after?.state === before.state;
    if (stored !== undefined && isStable && after.age > SETTLED) {
      this.#current.set(file, { ...stored, state: after.state });
      this.#isChanged = true;
    }
    return stored;
  }

  /** Stores the digests of this run. Errors are ignored. */
  save(): void {
    if (!this.#isChanged) return;
    try {
      const file = recordsFile(this.#project, true);
      if (file === undefined) return;
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const files = Object.fromEntries(this.#current);
      replaceFile(file, JSON.stringify({ format: 1, files }), CACHE_FILE);
    } catch {
      // If the digests are not stored, the next run reads the documents again.
    }
  }
}

function stateOf(
  file: string,
): { readonly state: string; readonly age: number } | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = stats;
  const changed = mtimeMs > ctimeMs ? mtimeMs : ctimeMs;
  return {
    state: [dev, ino, size, mtimeNs, ctimeNs].join(),
    age: Date.now() - Number(changed),
  };
}

function recordsFile(project: string, create: boolean): string | undefined {
  const folder = userFolder(project, create);
  return folder === undefined
    ? undefined
    : path.join(folder, "verified", `${hash(path.resolve(project))}.json`);
}

function readRecords(project: string): ReadonlyMap<string, VerifiedFile> {
  try {
    const file = recordsFile(project, false);
    const text = file === undefined ? undefined : readPlainFile(file);
    const value = JSON.parse(text?.toString() ?? "") as unknown;
    if (!isObject(value) || value["format"] !== 1) return new Map();
    const { files } = value;
    return isObject(files) && Object.values(files).every(isVerifiedFile)
      ? new Map(Object.entries(files) as [string, VerifiedFile][])
      : new Map();
  } catch {
    return new Map();
  }
}

function isVerifiedFile(value: unknown): value is VerifiedFile {
  return (
    isObject(value) &&
    typeof value["state"] === "string" &&
    typeof value["digest"] === "string" &&
    (value["revision"] === undefined || typeof value["revision"] === "string")
  );
}
