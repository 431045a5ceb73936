import { existsSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import type { JobApi, ResolvedConfig } from "./job.js";

/** Options of `ensureDocuments`. */
export interface EnsureOptions {
  /** Base of relative paths. */
  readonly cwd: string;
  /** True to use no network. */
  readonly isOffline: boolean;
  /** True to change neither documents nor the lock file. */
  readonly isFrozen: boolean;
}

/**
 * Returns the fetched documents that are missing, by file; reports each of them
 * once.
 */
export async function ensureDocuments(
  { jobs }: ResolvedConfig,
  { cwd }: EnsureOptions,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const { id, file } of fetchedApis(jobs.flatMap(({ apis }) => apis))) {
    if (existsSync(path.resolve(cwd, file))) continue;
    missing.add(file);
    sink.report(
      "document-missing",
      `the document ${file} of ${id} does not exist`,
    );
  }
  return missing;
}

/** Returns the APIs with fetched documents, each once. */
export function fetchedApis(apis: readonly JobApi[]): readonly JobApi[] {
  const byFile = new Map(
    apis
      .filter(({ isFetched }) => isFetched)
      .map((api): [string, JobApi] => [api.file, api]),
  );
  return [...byFile.values()];
}
