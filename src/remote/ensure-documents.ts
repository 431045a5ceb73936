import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { readLock, type Lock } from "./lock-file.js";
import { isSameUrl, revisionText } from "./lock-entry.js";
import type { FetchedApi, LockOptions } from "./lock-options.js";
import { VerifiedFiles } from "./verified-files.js";

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
  const added = await addMissing(
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

/** Fetches missing documents. Without any, the client is not loaded. */
async function addMissing(
  apis: readonly FetchedApi[],
  lock: Lock,
  options: LockOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  if (apis.length === 0) return new Set();
  const { fetchMissing } = await import("./fetch-missing.js");
  return fetchMissing(apis, lock, options, sink);
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
      this.#sink.report(
        "document-missing",
        `the document ${api.file} of ${api.id} does not exist`,
      );
      return "failed";
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
