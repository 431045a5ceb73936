import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import type { FetchedApi, LockOptions } from "./lock-options.js";
import { revisionText, type LockEntry } from "./lock-entry.js";
import { updateLock, type Lock } from "./lock-file.js";
import {
  DocumentFetcher,
  reportRemote,
  reportUnwritable,
} from "./document-fetcher.js";
import { RemoteError } from "./http/http-settings.js";
import { entryOf, type RemoteDocument } from "./remote-document.js";
import { MAX_REQUESTS, runParallel } from "./run-parallel.js";
import { writeStored } from "./stored-document.js";

/**
 * Fetches and stores documents that are missing in the project. Returns the
 * labels of the stored documents.
 */
export async function fetchMissing(
  apis: readonly FetchedApi[],
  lock: Lock,
  options: LockOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const { cwd, lockFile, environment } = options;
  const documents = new Map<FetchedApi, RemoteDocument>();
  try {
    const project = path.dirname(path.resolve(cwd, lockFile));
    const remote = new DocumentFetcher(options, project, environment);
    await runParallel(apis, MAX_REQUESTS, async (api) => {
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
