import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { readLock, type Lock } from "./lock-file.js";
import type { FetchedApi, LockOptions } from "./lock-options.js";
import { StoredCheck } from "./stored-check.js";

/** Result of `ensureDocuments`. Findings are added to the sink. */
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

/**
 * Fetches missing documents. The HTTP client is imported only if a document is
 * missing.
 */
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
