import path from "node:path";
import { definedMembers } from "../platform/defined-members.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { RemoteOptions } from "../remote/remote-options.js";
import { updateDocuments, type Update } from "../remote/update-documents.js";
import { fetchedApis } from "./ensure-documents.js";
import { loadConfig } from "./load-config.js";

/** Options of `updateApis`, which fetches the latest documents of a config. */
export interface UpdateApisOptions extends RemoteOptions {
  readonly cwd: string;
  /** Path of the config file. Default: the one in the working directory. */
  readonly config?: string | undefined;
  /** Labels of the APIs to update; empty to update all APIs. */
  readonly apis: readonly string[];
  readonly isDryRun?: boolean | undefined;
  readonly isFrozen?: boolean | undefined;
  readonly isForced?: boolean | undefined;
  readonly onProgress?:
    ((id: string, done: number, total: number) => void) | undefined;
}

/** Result of `updateApis`: latest documents of the APIs, and findings. */
export interface UpdateApisResult {
  readonly updates: readonly Update[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Fetches the latest documents of a config and compares them with the lock
 * file. Without `isDryRun`, stores the documents, and removes lock entries of
 * APIs that are no longer in the config.
 */
export async function updateApis(
  options: UpdateApisOptions,
): Promise<UpdateApisResult> {
  const { cwd, config, apis: names, ...rest } = options;
  const isPartial = names.length > 0;
  const loaded = await loadConfig({
    cwd,
    config,
    apis: isPartial ? names : undefined,
  });
  const { resolved, diagnostics } = loaded;
  if (resolved === undefined) return { updates: [], diagnostics };
  const sink = new Sink();
  const apis = fetchedApis(resolved.jobs.flatMap((job) => job.apis));
  const ids = new Set(apis.map(({ id }) => id));
  const updates = await updateDocuments(
    apis,
    {
      ...resolved.remote,
      ...definedMembers(rest),
      cwd,
      lockFile: path.relative(cwd, path.resolve(cwd, resolved.lockFile)),
      removed: (lock) =>
        isPartial ? [] : [...lock.keys()].filter((id) => !ids.has(id)),
    },
    sink,
  );
  return {
    updates: updates ?? [],
    diagnostics: [...diagnostics, ...sink.diagnostics],
  };
}
