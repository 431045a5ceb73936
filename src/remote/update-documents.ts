import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { reportRemote } from "./document-fetcher.js";
import {
  changeOf,
  differs,
  fetchLatest,
  isGone,
  type Candidate,
  type LatestOptions,
  type Update,
} from "./fetch-latest.js";
import { readLock, type Lock } from "./lock-file.js";
import type { FetchedApi } from "./remote-settings.js";
import { storeDocuments, type DocumentChange } from "./store-documents.js";
import { discardStaged } from "./staged-document.js";
import { storedBytes } from "./stored-document.js";

export type { Update, UpdateStatus } from "./fetch-latest.js";

/** Options of `updateDocuments`, which fetches the latest documents. */
export interface UpdateOptions extends LatestOptions {
  /** True to compare the documents without writing files. */
  readonly isDryRun?: boolean | undefined;
  /**
   * True to accept revisions that are older than those in the lock file, and
   * documents with less than half of their methods or schemas.
   */
  readonly isForced?: boolean | undefined;
  /** Returns the labels of the entries to remove from the lock file. */
  readonly removed?: (lock: Lock) => readonly string[];
}

/**
 * Fetches the latest documents, stores them and updates the lock file. Returns
 * the documents that could be fetched or are no longer published, in the order
 * of the arguments; undefined if the lock file is invalid.
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
  const candidates: Candidate[] = [];
  const updates: Update[] = [];
  try {
    for (const latest of await fetchLatest(apis, lock, options))
      if ("error" in latest) {
        reportRemote(latest.error, latest.api.id, sink);
        updates.push(...goneUpdate(latest.api, latest.error, lock));
      } else {
        candidates.push(latest);
        updates.push(latest.update);
      }
  } catch (error) {
    // The label is empty, because the message already names the invalid
    // setting.
    reportRemote(error, "", sink);
  }
  if (isDryRun !== true) await store(candidates, lock, options, sink);
  return updates;
}

/** Returns an entry for a document that is no longer published. */
function goneUpdate(
  { id, file }: FetchedApi,
  error: unknown,
  lock: Lock,
): readonly Update[] {
  const entry = lock.get(id);
  if (entry === undefined || !isGone(error)) return [];
  const { url, revision } = entry;
  const locked = revision === undefined ? {} : { locked: revision };
  return [{ id, file, url, status: "gone", ...locked }];
}

/** Stores the accepted documents and their lock entries. */
async function store(
  candidates: readonly Candidate[],
  lock: Lock,
  options: UpdateOptions,
  sink: Sink,
): Promise<void> {
  const { cwd, isFrozen, removed } = options;
  const changes: DocumentChange[] = (removed?.(lock) ?? []).map((id) => ({
    id,
    entry: null,
  }));
  for (const candidate of candidates)
    if (isAccepted(candidate, options, sink)) {
      const change = documentChange(candidate, cwd);
      if (change !== undefined) changes.push(change);
    }
  if (isFrozen === true) {
    reportFrozen(changes, options, sink);
    return;
  }
  for (const { api } of candidates) discardStaged(path.resolve(cwd, api.file));
  await storeDocuments(changes, options, sink);
}

/**
 * Returns what storing a document changes; undefined if the file and the lock
 * entry are up to date.
 */
export function documentChange(
  candidate: Candidate,
  cwd: string,
): DocumentChange | undefined {
  const { api, document } = candidate;
  const { id, file } = api;
  const entry = changeOf(candidate);
  const isSame = !differs(path.resolve(cwd, file), document);
  if (isSame && entry === undefined) return undefined;
  return {
    id,
    ...(entry === undefined ? {} : { entry }),
    ...(isSame ? {} : { file, bytes: storedBytes(document) }),
  };
}

function reportFrozen(
  changes: readonly DocumentChange[],
  { lockFile }: UpdateOptions,
  sink: Sink,
): void {
  for (const { id } of changes)
    sink.report(
      "lock-mismatch",
      `${id}: the document or ${lockFile} would change, but --frozen allows no changes`,
    );
}

/**
 * Tests whether an update can be stored. Reports an update whose revision is
 * older than the one in the lock file, or that has lost more than half of its
 * content, and returns false, unless such updates are allowed.
 */
export function isAccepted(
  { api, update, loss }: Candidate,
  { isForced }: Pick<UpdateOptions, "isForced">,
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
