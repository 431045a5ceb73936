import path from "node:path";
import { DocumentFetcher, runParallel } from "./document-fetcher.js";
import { lossOf, sizeOf } from "./document-size.js";
import { RemoteError } from "./http/http-settings.js";
import type { Lock, LockEntry } from "./lock-file.js";
import { entryOf, type RemoteDocument } from "./remote-document.js";
import type { FetchedApi, LockOptions } from "./remote-settings.js";
import { readStored, readStoredValue } from "./stored-document.js";

/**
 * Relation of the latest document to the lock entry. A `current` document has
 * the same digest as the lock entry, even if the revisions differ. A `shrunk`
 * document has less than half of the methods or schemas of the stored document.
 * A `gone` document is no longer published.
 */
export type UpdateStatus =
  "new" | "outdated" | "older" | "shrunk" | "current" | "gone";

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

/** Latest document of an API, with the API's entry in the lock file. */
export interface Candidate {
  readonly api: FetchedApi;
  readonly document: RemoteDocument;
  readonly update: Update;
  readonly entry: LockEntry | undefined;
  /** Remaining methods or schemas, if the status is `shrunk`. */
  readonly loss: string | undefined;
}

/** API whose latest document could not be fetched or used. */
export interface FailedFetch {
  readonly api: FetchedApi;
  readonly error: unknown;
}

/** Options of `fetchLatest`, which fetches the latest documents. */
export interface LatestOptions extends LockOptions {
  /** Function that is called after each request. */
  readonly onProgress?:
    ((id: string, done: number, total: number) => void) | undefined;
}

/**
 * Fetches the latest documents and compares them with the lock file. Returns an
 * entry for each API, in the order of the arguments. Writes no files.
 *
 * @throws RemoteError if a header setting is invalid
 */
export async function fetchLatest(
  apis: readonly FetchedApi[],
  lock: Lock,
  options: LatestOptions,
): Promise<readonly (Candidate | FailedFetch)[]> {
  const { cwd, lockFile, environment, onProgress } = options;
  const found = new Map<FetchedApi, Candidate | FailedFetch>();
  const project = path.dirname(path.resolve(cwd, lockFile));
  const remote = new DocumentFetcher(options, project, environment);
  let done = 0;
  await runParallel(apis, async (api) => {
    const entry = lock.get(api.id);
    try {
      const { document } = await remote.fetch(api);
      found.set(api, candidateOf(api, document, entry, cwd));
    } catch (error) {
      const gone = await goneError(error, api, entry, remote);
      found.set(api, { api, error: gone ?? error });
    }
    onProgress?.(api.id, ++done, apis.length);
  });
  return apis.map((api) => found.get(api)!);
}

/**
 * Returns the error for a locked document that is no longer published, with the
 * versions of the API that the directory contains; undefined for other errors.
 */
async function goneError(
  error: unknown,
  { id, source }: FetchedApi,
  entry: LockEntry | undefined,
  remote: DocumentFetcher,
): Promise<RemoteError | undefined> {
  if (entry === undefined || !(error instanceof RemoteError)) return undefined;
  const isMissing =
    error.status === 404 ||
    error.status === 410 ||
    (error.code === "remote-unknown" && source === undefined);
  if (!isMissing) return undefined;
  const versions =
    source === undefined ? await remote.versionsOf(id.split(":")[0]!) : [];
  const others = versions.filter((version) => version !== id);
  const use =
    others.length === 0
      ? ""
      : `; published versions: ${others.slice(0, MAX_VERSIONS).join(", ")}`;
  return new RemoteError(
    "remote-gone",
    `${id} is no longer published at ${entry.url}${use}`,
    error.status,
  );
}

/** Tests whether an error means that a document is no longer published. */
export function isGone(error: unknown): boolean {
  return error instanceof RemoteError && error.code === "remote-gone";
}

/** Maximum number of versions in a message. */
const MAX_VERSIONS = 10;

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

/**
 * Returns the new lock entry. If the digest is unchanged, the revision in the
 * lock entry is not changed either, so that the lock file changes only when the
 * API changes.
 */
export function changeOf({
  document,
  entry,
}: Candidate): LockEntry | undefined {
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
export function differs(file: string, document: RemoteDocument): boolean {
  try {
    return readStored(file)?.digest !== document.digest;
  } catch {
    // The stored file can't be read as a document. If it can't be replaced
    // either, writing the document reports the error.
    return true;
  }
}
