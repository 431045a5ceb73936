import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import {
  readLock,
  updateLock,
  type Lock,
  type LockEntry,
} from "./lock-file.js";
import {
  Remote,
  reportRemote,
  reportUnwritable,
  type ApiSource,
} from "./remote.js";
import { RemoteError } from "./remote-error.js";
import type { RemoteDocument } from "./remote-document.js";
import type { RemoteEnvironment, RemoteOptions } from "./remote-settings.js";
import { runParallel } from "./run-parallel.js";
import { writeStored } from "./stored-document.js";
import { VerifiedFiles } from "./verified-files.js";

/** Maximum number of concurrent requests. */
export const MAX_REQUESTS = 4;

/** API with the file of its fetched document, relative to the working folder. */
export interface FetchedApi extends ApiSource {
  readonly file: string;
}

/** Files of a project with fetched documents. */
export interface LockOptions extends RemoteOptions {
  /** Base of relative paths. */
  readonly cwd: string;
  /** Path of gen.lock.json. */
  readonly lockFile: string;
  /** Changes no file; reports each difference. Default: false. */
  readonly isFrozen?: boolean | undefined;
  /** Replaced by tests. */
  readonly environment?: RemoteEnvironment | undefined;
}

/** Result of ensureDocuments. Findings are in the sink. */
export interface EnsureResult {
  /** Labels of APIs without a document that the lock confirms. */
  readonly failed: readonly string[];
}

/**
 * Verifies that stored documents are those of the lock, and fetches missing
 * ones. Requests nothing if all files exist.
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

/** Compares stored documents with the lock. */
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

  save(): void {
    this.#files.save();
  }

  stateOf(api: FetchedApi): "valid" | "missing" | "failed" {
    const { cwd, lockFile, isFrozen } = this.#options;
    const entry = this.#lock.get(api.id);
    const differs = (message: string): "failed" => {
      this.#sink.report("lock-mismatch", `${api.id}: ${message}`);
      return "failed";
    };
    let digest: string | undefined;
    try {
      digest = this.#files.read(path.resolve(cwd, api.file))?.digest;
    } catch (error) {
      return differs(
        `${api.file} can't be compared with ${lockFile}: ${(error as Error).message}`,
      );
    }
    if (digest === undefined) {
      if (isFrozen !== true) return "missing";
      return differs(
        `${api.file} does not exist, and --frozen forbids changes`,
      );
    }
    if (entry === undefined) return differs(`${lockFile} does not contain it`);
    if (digest !== entry.digest)
      return differs(
        `${api.file} is not the document of ${lockFile}${revisionText(entry)}`,
      );
    if (api.source !== undefined && !isSameUrl(api.source, entry.url))
      return differs(`${lockFile} contains the source ${entry.url}`);
    return "valid";
  }
}

function revisionText({ revision }: LockEntry): string {
  return revision === undefined ? "" : ` (revision ${revision})`;
}

/** Compares URLs after normalisation. */
export function isSameUrl(a: string, b: string): boolean {
  const normal = (text: string): string => {
    if (!URL.canParse(text)) return text;
    const url = new URL(text);
    url.hash = "";
    return url.href;
  };
  return normal(a) === normal(b);
}

/** Fetches documents; returns the labels of those that were stored. */
async function fetchMissing(
  apis: readonly FetchedApi[],
  lock: Lock,
  options: LockOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const { cwd, lockFile, environment } = options;
  const documents = new Map<FetchedApi, RemoteDocument>();
  if (apis.length === 0) return new Set();
  try {
    const project = path.dirname(path.resolve(cwd, lockFile));
    const remote = new Remote(options, project, environment);
    await runParallel(apis, MAX_REQUESTS, async (api) => {
      const document = await fetchPinned(api, lock.get(api.id), remote, sink);
      if (document !== undefined) documents.set(api, document);
    });
  } catch (error) {
    reportRemote(error, lockFile, sink);
  }
  return storeMissing(documents, lock, options, sink);
}

/** Writes documents, and then the lock. */
async function storeMissing(
  documents: ReadonlyMap<FetchedApi, RemoteDocument>,
  lock: Lock,
  { cwd, lockFile }: LockOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  const added = new Map<string, LockEntry>();
  let name = lockFile;
  try {
    for (const [{ id, file }, document] of documents) {
      name = file;
      writeStored(path.resolve(cwd, file), document, cwd);
      if (lock.has(id)) stored.add(id);
      else added.set(id, entryOf(document));
    }
    name = lockFile;
    await updateLock(path.resolve(cwd, lockFile), cwd, added);
    return new Set([...stored, ...added.keys()]);
  } catch (error) {
    reportUnwritable(error, name, sink);
    return stored;
  }
}

/** Returns the lock entry of a document. */
export function entryOf({ url, revision, digest }: RemoteDocument): LockEntry {
  return { url, digest, ...(revision === undefined ? {} : { revision }) };
}

/** Fetches a document, which must be that of the lock if it has one. */
async function fetchPinned(
  api: FetchedApi,
  entry: LockEntry | undefined,
  remote: Remote,
  sink: Sink,
): Promise<RemoteDocument | undefined> {
  try {
    const document = await fetchFrom(api, entry, remote);
    if (entry === undefined || document.digest === entry.digest)
      return document;
    sink.report(
      "lock-mismatch",
      `${api.id}: ${document.url} no longer has the locked document${revisionText(entry)}`,
    );
  } catch (error) {
    reportRemote(error, api.id, sink);
  }
  return undefined;
}

/**
 * Fetches a document from its location in the lock. If it is no longer there,
 * looks it up.
 */
async function fetchFrom(
  api: FetchedApi,
  entry: LockEntry | undefined,
  remote: Remote,
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
