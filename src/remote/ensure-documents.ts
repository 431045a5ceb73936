import path from "node:path";
import { lstatSync } from "node:fs";
import type { Sink } from "../diagnostics/sink.js";
import {
  readLock,
  updateLock,
  revisionText,
  isSameUrl,
  type Lock,
  type LockEntry,
} from "./lock-file.js";
import type { FetchedApi, LockOptions } from "./remote-settings.js";
import {
  DocumentFetcher,
  reportRemote,
  reportUnwritable,
  runParallel,
} from "./document-fetcher.js";
import { RemoteError } from "./http/http-settings.js";
import { entryOf, type RemoteDocument } from "./remote-document.js";
import { commitStaged, stagedDigest } from "./staged-document.js";
import { writeStored, VerifiedFiles } from "./stored-document.js";

/**
 * Result of `ensureDocuments`, which verifies and fetches documents. Findings
 * are reported separately.
 */
export interface EnsureResult {
  /**
   * Labels of APIs whose document is missing or does not match the lock file.
   */
  readonly failed: readonly string[];
}

/**
 * Checks that stored documents match the lock file, and fetches missing
 * documents. No request is sent if all files exist.
 */
export async function ensureDocuments(
  apis: readonly FetchedApi[],
  options: LockOptions,
  sink: Sink,
): Promise<EnsureResult> {
  const { cwd, lockFile } = options;
  const lock = readLock(path.resolve(cwd, lockFile), lockFile, sink);
  if (lock === undefined) return { failed: apis.map(({ id }) => id) };
  const check = new StoredCheck(lock, options, sink);
  const states = apis.map((api) => ({ api, state: check.stateOf(api) }));
  check.save();
  const missing = states.filter(({ state }) => state === "missing");
  const failed = states.filter(({ state }) => state === "failed");
  const added = await fetchMissing(
    missing.map(({ api }) => api),
    lock,
    options,
    sink,
  );
  return {
    failed: [...failed, ...missing]
      .map(({ api }) => api.id)
      .filter((id) => !added.has(id)),
  };
}

/**
 * Fetches and stores documents that are missing in the project. Returns the
 * labels of the stored documents.
 */
async function fetchMissing(
  apis: readonly FetchedApi[],
  lock: Lock,
  options: LockOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const { cwd, lockFile, environment } = options;
  if (apis.length === 0) return new Set();
  const documents = new Map<FetchedApi, RemoteDocument>();
  try {
    const project = path.dirname(path.resolve(cwd, lockFile));
    const remote = new DocumentFetcher(options, project, environment);
    await runParallel(apis, async (api) => {
      const document = await fetchPinned(api, lock.get(api.id), remote, sink);
      if (document !== undefined) documents.set(api, document);
    });
  } catch (error) {
    reportRemote(error, "", sink);
  }
  return storeMissing(documents, lock, options, sink);
}

/** Writes documents, and then the lock file. */
async function storeMissing(
  documents: ReadonlyMap<FetchedApi, RemoteDocument>,
  lock: Lock,
  { cwd, lockFile }: LockOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  const added = new Map<string, LockEntry>();
  for (const [{ id, file }, document] of documents) {
    try {
      writeStored(path.resolve(cwd, file), document, cwd);
      stored.add(id);
      if (!lock.has(id)) added.set(id, entryOf(document));
    } catch (error) {
      reportUnwritable(error, file, sink);
    }
  }
  try {
    await updateLock(path.resolve(cwd, lockFile), cwd, added);
  } catch (error) {
    reportUnwritable(error, lockFile, sink);
  }
  return stored;
}

/**
 * Fetches a document. If the API is locked, the document must match the lock
 * entry.
 */
async function fetchPinned(
  api: FetchedApi,
  entry: LockEntry | undefined,
  remote: DocumentFetcher,
  sink: Sink,
): Promise<RemoteDocument | undefined> {
  try {
    const document = await fetchFrom(api, entry, remote);
    if (entry === undefined || document.digest === entry.digest)
      return document;
    sink.report(
      "lock-mismatch",
      `${api.id}: ${document.url} no longer returns the locked document${revisionText(entry)}`,
    );
  } catch (error) {
    reportRemote(error, api.id, sink);
  }
  return undefined;
}

/**
 * Fetches a document from its URL in the lock file. If it is no longer at this
 * URL, looks it up in the directory.
 */
async function fetchFrom(
  api: FetchedApi,
  entry: LockEntry | undefined,
  remote: DocumentFetcher,
): Promise<RemoteDocument> {
  const isMovable = entry !== undefined && api.source === undefined;
  if (isMovable) {
    try {
      const pinned = { id: api.id, source: entry.url };
      return (await remote.fetch(pinned, true)).document;
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code === "remote-refused")
        throw error;
    }
  }
  return (await remote.fetch(api, entry !== undefined)).document;
}

/** Result of comparing a stored document with the lock file. */
type StoredState = "valid" | "missing" | "failed";

/** Compares stored documents with the lock file and reports differences. */
class StoredCheck {
  readonly #lock: Lock;
  readonly #options: LockOptions;
  readonly #sink: Sink;
  readonly #files: VerifiedFiles;

  constructor(lock: Lock, options: LockOptions, sink: Sink) {
    this.#lock = lock;
    this.#options = options;
    this.#sink = sink;
    const lockFile = path.resolve(options.cwd, options.lockFile);
    this.#files = new VerifiedFiles(path.dirname(lockFile));
  }

  /** Stores the digests, so that checks by later runs are faster. */
  save(): void {
    this.#files.save();
  }

  stateOf(api: FetchedApi): StoredState {
    const { cwd, lockFile, isFrozen } = this.#options;
    const file = path.resolve(cwd, api.file);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
      return this.#missing(api);
    const entry = this.#lock.get(api.id);
    if (entry !== undefined) return this.#compare(api, file, entry);
    // Documents that are committed without a lock file are already pinned by
    // the repository.
    return isFrozen === true
      ? this.#differs(api, `${lockFile} does not contain this API`)
      : "valid";
  }

  #missing(api: FetchedApi): StoredState {
    const { id, file } = api;
    const { cwd, isFrozen, isReadOnly } = this.#options;
    if (this.#isRepaired(path.resolve(cwd, file), this.#lock.get(id)))
      return "valid";
    if (isFrozen !== true && isReadOnly !== true) return "missing";
    this.#sink.report(
      "document-missing",
      `the document ${file} of ${id} does not exist`,
    );
    return "failed";
  }

  /**
   * Completes an update that was killed after the lock file was written. Returns
   * false if there is none.
   */
  #isRepaired(file: string, entry: LockEntry | undefined): boolean {
    const { isFrozen, isReadOnly } = this.#options;
    if (isFrozen === true || isReadOnly === true || entry === undefined)
      return false;
    if (stagedDigest(file) !== entry.digest) return false;
    try {
      commitStaged(file);
      return true;
    } catch {
      // The folder is read-only; the document is reported as different.
      return false;
    }
  }

  #compare(api: FetchedApi, file: string, entry: LockEntry): StoredState {
    const { lockFile } = this.#options;
    let digest: string | undefined;
    try {
      digest = this.#files.read(file)?.digest;
    } catch (error) {
      const { message } = error as Error;
      return this.#differs(
        api,
        `${api.file} can't be compared with ${lockFile}: ${message}`,
      );
    }
    if (digest !== entry.digest && this.#isRepaired(file, entry))
      digest = entry.digest;
    if (digest !== entry.digest)
      return this.#differs(
        api,
        `${api.file} does not match the digest in ${lockFile}${revisionText(entry)}`,
      );
    if (api.source !== undefined && !isSameUrl(api.source, entry.url))
      return this.#differs(
        api,
        `the source in ${lockFile}, ${entry.url}, differs from the source in the config`,
      );
    return "valid";
  }

  #differs({ id }: FetchedApi, message: string): StoredState {
    this.#sink.report("lock-mismatch", `${id}: ${message}`);
    return "failed";
  }
}
