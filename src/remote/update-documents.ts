import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import type { FetchedApi, LockOptions } from "./remote-settings.js";
import {
  readLock,
  updateLock,
  type LockEntry,
  type Lock,
} from "./lock-file.js";
import {
  DocumentFetcher,
  reportRemote,
  reportUnwritable,
  runParallel,
} from "./document-fetcher.js";
import { entryOf, type RemoteDocument } from "./remote-document.js";
import { lossOf, sizeOf } from "./document-size.js";
import { readStored, readStoredValue, writeStored } from "./stored-document.js";

/**
 * Relation of the latest document to the lock entry. A `current` document has
 * the same digest as the lock entry, even if the revisions differ. A `shrunk`
 * document has less than half of the methods or schemas of the stored document.
 */
export type UpdateStatus = "new" | "outdated" | "older" | "shrunk" | "current";

/** Latest document of an API, compared with the lock entry. */
export interface Update {
  readonly id: string;
  readonly file: string;
  readonly url: string;
  readonly status: UpdateStatus;
  /** Revision in the lock file. */
  readonly locked?: string;
  /** Revision of the latest document. */
  readonly latest?: string;
}

/** Options of `updateDocuments`, which fetches the latest documents. */
export interface UpdateOptions extends LockOptions {
  /** True to compare the documents without writing files. */
  readonly isDryRun?: boolean | undefined;
  /**
   * True to accept revisions that are older than those in the lock file, and
   * documents with less than half of their methods or schemas.
   */
  readonly isForced?: boolean | undefined;
  /** Returns the labels of the entries to remove from the lock file. */
  readonly removed?: (lock: Lock) => readonly string[];
  /** Function that is called after each request. */
  readonly onProgress?:
    ((id: string, done: number, total: number) => void) | undefined;
}

/** Latest document of an API, with the API's entry in the lock file. */
interface Candidate {
  readonly api: FetchedApi;
  readonly document: RemoteDocument;
  readonly update: Update;
  readonly entry: LockEntry | undefined;
  /** Remaining methods or schemas, if the status is `shrunk`. */
  readonly loss: string | undefined;
}

/**
 * Fetches the latest documents, stores them and updates the lock file. Returns
 * the documents that could be fetched, in the order of the arguments; undefined
 * if the lock file is invalid.
 */
export async function updateDocuments(
  apis: readonly FetchedApi[],
  options: UpdateOptions,
  sink: Sink,
): Promise<readonly Update[] | undefined> {
  const { cwd, lockFile, isDryRun } = options;
  const file = path.resolve(cwd, lockFile);
  const lock = readLock(file, lockFile, sink);
  if (lock === undefined) return undefined;
  const candidates = await fetchLatest(apis, lock, options, sink);
  if (isDryRun !== true) await store(candidates, lock, options, sink);
  return candidates.map(({ update }) => update);
}

async function fetchLatest(
  apis: readonly FetchedApi[],
  lock: Lock,
  options: UpdateOptions,
  sink: Sink,
): Promise<Candidate[]> {
  const { cwd, lockFile, environment, onProgress } = options;
  const found = new Map<FetchedApi, Candidate>();
  let done = 0;
  try {
    const project = path.dirname(path.resolve(cwd, lockFile));
    const remote = new DocumentFetcher(options, project, environment);
    await runParallel(apis, async (api) => {
      try {
        const { document } = await remote.fetch(api);
        found.set(api, candidateOf(api, document, lock.get(api.id), cwd));
      } catch (error) {
        reportRemote(error, api.id, sink);
      }
      onProgress?.(api.id, ++done, apis.length);
    });
  } catch (error) {
    // The label is empty, because the message already names the invalid
    // setting.
    reportRemote(error, "", sink);
  }
  return apis.flatMap((api) => found.get(api) ?? []);
}

function candidateOf(
  api: FetchedApi,
  document: RemoteDocument,
  entry: LockEntry | undefined,
  cwd: string,
): Candidate {
  const status = statusOf(document, entry);
  const loss =
    status === "new" || status === "outdated"
      ? storedLoss(path.resolve(cwd, api.file), document)
      : undefined;
  const update: Update = {
    id: api.id,
    file: api.file,
    url: document.url,
    status: loss === undefined ? status : "shrunk",
    ...(entry?.revision === undefined ? {} : { locked: entry.revision }),
    ...(document.revision === undefined ? {} : { latest: document.revision }),
  };
  return { api, document, update, entry, loss };
}

/** Describes what a document has lost since it was stored. */
function storedLoss(
  file: string,
  { value }: RemoteDocument,
): string | undefined {
  try {
    const stored = readStoredValue(file);
    return stored && lossOf(sizeOf(stored), sizeOf(value));
  } catch {
    // A file that is not a document has no methods and schemas to lose.
    return undefined;
  }
}

function statusOf(
  { digest, revision }: RemoteDocument,
  entry: LockEntry | undefined,
): UpdateStatus {
  if (entry === undefined) return "new";
  if (digest === entry.digest) return "current";
  return isOlder(revision, entry.revision) ? "older" : "outdated";
}

/** Writes the accepted documents, and then the lock file. */
async function store(
  candidates: readonly Candidate[],
  lock: Lock,
  options: UpdateOptions,
  sink: Sink,
): Promise<void> {
  const { cwd, lockFile, isFrozen, removed } = options;
  const changes = new Map<string, LockEntry | undefined>();
  for (const label of removed?.(lock) ?? []) changes.set(label, undefined);
  const accepted = candidates.filter((candidate) =>
    isAccepted(candidate, options, sink),
  );
  for (const candidate of accepted) {
    const change = changeOf(candidate);
    if (change !== undefined) changes.set(candidate.api.id, change);
  }
  const outdated = accepted.filter(({ api, document }) =>
    differs(path.resolve(cwd, api.file), document),
  );
  if (isFrozen === true) {
    const ids = outdated.map(({ api }) => api.id);
    reportFrozen([...changes.keys(), ...ids], options, sink);
    return;
  }
  // If a document can't be written, its lock entry must not change.
  for (const candidate of outdated)
    if (!write(candidate, options, sink)) changes.delete(candidate.api.id);
  try {
    await updateLock(path.resolve(cwd, lockFile), cwd, changes);
  } catch (error) {
    reportUnwritable(error, lockFile, sink);
  }
}

function reportFrozen(
  ids: readonly string[],
  { lockFile }: UpdateOptions,
  sink: Sink,
): void {
  for (const id of new Set(ids))
    sink.report(
      "lock-mismatch",
      `${id}: the document or ${lockFile} would change, but --frozen allows no changes`,
    );
}

/** Writes a document. If this fails, reports the error and returns false. */
function write(
  { api: { file }, document }: Candidate,
  { cwd }: UpdateOptions,
  sink: Sink,
): boolean {
  try {
    writeStored(path.resolve(cwd, file), document, cwd);
    return true;
  } catch (error) {
    reportUnwritable(error, file, sink);
    return false;
  }
}

/**
 * Tests whether an update can be stored. Reports an update whose revision is
 * older than the one in the lock file, or that has lost more than half of its
 * content, and returns false, unless such updates are allowed.
 */
function isAccepted(
  { api, update, loss }: Candidate,
  { isForced }: UpdateOptions,
  sink: Sink,
): boolean {
  const { status, url, latest, locked } = update;
  if (isForced === true) return true;
  if (status === "older")
    sink.report(
      "remote-older",
      `${api.id}: ${url} has revision ${latest}, which is older than the locked revision ${locked}`,
    );
  else if (loss !== undefined)
    sink.report(
      "remote-shrunk",
      `${api.id}: ${url} has only ${loss} of ${api.file}`,
    );
  else return true;
  return false;
}

/**
 * Returns the new lock entry. If the digest is unchanged, the revision in the
 * lock entry is not changed either, so that the lock file changes only when the
 * API changes.
 */
function changeOf({ document, entry }: Candidate): LockEntry | undefined {
  if (entry === undefined || entry.digest !== document.digest)
    return entryOf(document);
  return entry.url === document.url
    ? undefined
    : { ...entry, url: document.url };
}

/**
 * Tests whether the stored file differs from a document, so that it must be
 * written.
 */
function differs(file: string, document: RemoteDocument): boolean {
  try {
    return readStored(file)?.digest !== document.digest;
  } catch {
    // The stored file can't be read as a document. If it can't be replaced
    // either, writing the document reports the error.
    return true;
  }
}

/**
 * Tests whether a revision is older than another one. Revisions of published
 * documents are dates (`20240131`). Returns false for revisions in other forms,
 * because their order is unknown.
 */
function isOlder(
  revision: string | undefined,
  other: string | undefined,
): boolean {
  return (
    revision !== undefined &&
    other !== undefined &&
    revision.length === other.length &&
    /^\d{8,}$/.test(revision) &&
    /^\d{8,}$/.test(other) &&
    revision < other
  );
}
