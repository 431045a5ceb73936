import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import type { JobApi, ResolvedConfig } from "./job.js";

/**
 * Options of `ensureDocuments`, which verifies fetched documents and fetches
 * missing ones.
 */
export interface EnsureOptions {
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /** True to disable network access. */
  readonly isOffline: boolean;
  /**
   * True to report documents that differ from their entries in the lock file.
   */
  readonly isFrozen: boolean;
  /** True to leave documents and the lock file unchanged. */
  readonly isReadOnly: boolean;
}

/**
 * Verifies fetched documents, and fetches missing ones. Returns the files of
 * unusable documents, and reports each of them once.
 */
export async function ensureDocuments(
  { jobs, lockFile, remote }: ResolvedConfig,
  { cwd, isOffline, isFrozen, isReadOnly }: EnsureOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const apis = fetchedApis(jobs.flatMap((job) => job.apis));
  if (apis.length === 0) return new Set();
  const documents = await import("../remote/ensure-documents.js");
  const options = {
    ...remote,
    cwd,
    lockFile: path.relative(cwd, path.resolve(cwd, lockFile)),
    isOffline,
    isFrozen,
    isReadOnly,
  };
  const { failed } = await documents.ensureDocuments(apis, options, sink);
  return new Set(
    apis.filter(({ id }) => failed.includes(id)).map(({ file }) => file),
  );
}

/** Returns the APIs with fetched documents, without duplicates. */
export function fetchedApis(apis: readonly JobApi[]): readonly JobApi[] {
  const byFile = new Map(
    apis
      .filter(({ isFetched }) => isFetched)
      .map((api): [string, JobApi] => [api.file, api]),
  );
  return [...byFile.values()];
}
