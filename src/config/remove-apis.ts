import { readFileSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { removeOutput } from "../generate/remove-output.js";
import { refuseStray } from "../platform/output-path.js";
import { replaceFile } from "../platform/replace-file.js";
import { readLock } from "../remote/lock-file.js";
import {
  storeDocuments,
  type DocumentChange,
} from "../remote/store-documents.js";
import { configFormat } from "./edit-config.js";
import type { JobApi, ResolvedConfig } from "./job.js";
import { loadConfig } from "./load-config.js";
import { removeApi } from "./remove-api.js";
import { runJobs } from "./run-jobs.js";

/** Options of `removeApis`, which removes APIs from a config. */
export interface RemoveOptions {
  readonly cwd: string;
  /** Path of the config file. Default: the one in the working directory. */
  readonly config?: string | undefined;
}

/** Result of `removeApis`, which removes APIs from a config. */
export interface RemoveResult {
  readonly removed: readonly RemovedApi[];
  /** Path of the changed config, relative to the working directory. */
  readonly config?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** API that was removed from the config. */
export interface RemovedApi {
  readonly id: string;
  /** Fetched document that was deleted. */
  readonly document?: string;
  /** Output folders of the API that were deleted. */
  readonly output: readonly string[];
  /** Patch files of the API, which are not deleted. */
  readonly patches: readonly string[];
}

/**
 * Removes APIs from the config, their lock entries, fetched documents and output.
 * Documents and patches of the project are not deleted. If the config can't be
 * edited, reports an error and changes nothing.
 * @param names labels of the APIs in the config
 */
export async function removeApis(
  names: readonly string[],
  { cwd, config }: RemoveOptions,
): Promise<RemoveResult> {
  const loaded = await loadConfig({ cwd, config, apis: names });
  const { resolved, file } = loaded;
  const sink = new Sink();
  sink.diagnostics.push(...loaded.diagnostics);
  const failed = { removed: [], diagnostics: sink.diagnostics };
  if (resolved === undefined || file === undefined) return failed;
  if (!editConfig(file, names, cwd, sink)) return failed;
  const apis = resolved.jobs.flatMap((job) => job.apis);
  await removeDocuments(apis, resolved, cwd, sink);
  const outputs = new Map<string, string[]>();
  for (const { out, apis: own } of resolved.jobs)
    for (const { id, file: document } of own) {
      const folders = removeOutput(document, { out, cwd }, sink);
      const shown = folders.map((folder) => path.posix.join(out, folder));
      outputs.set(id, [...(outputs.get(id) ?? []), ...shown]);
    }
  await generateOthers({ cwd, config }, sink);
  const removed = [...new Set(names)].map((id): RemovedApi => {
    const own = apis.filter((api) => api.id === id);
    const document = own.find(({ isFetched }) => isFetched)?.file;
    return {
      id,
      ...(document === undefined ? {} : { document }),
      output: outputs.get(id) ?? [],
      patches: [...new Set(own.flatMap(({ patches }) => patches))],
    };
  });
  const changed = path.relative(cwd, file);
  return { removed, config: changed, diagnostics: sink.diagnostics };
}

/** Edits the config. Reports an error and returns false if it can't be edited. */
function editConfig(
  file: string,
  names: readonly string[],
  cwd: string,
  sink: Sink,
): boolean {
  const name = path.relative(cwd, file);
  const format = configFormat(file);
  try {
    let text: string | undefined =
      format === undefined ? undefined : readFileSync(file, "utf8");
    for (const id of names)
      text = text === undefined ? undefined : removeApi(text, format!, id);
    if (text === undefined) {
      const entries = names.map((id) => JSON.stringify(id)).join(", ");
      sink.report(
        "usage",
        `${name} can't be edited; delete ${entries} from it, then run \`gen fetch\` and \`gen\``,
      );
      return false;
    }
    refuseStray(file, cwd);
    replaceFile(file, text);
    return true;
  } catch (error) {
    sink.report("output-unwritable", `${name}: ${(error as Error).message}`);
    return false;
  }
}

/** Deletes fetched documents and their lock entries. */
async function removeDocuments(
  apis: readonly JobApi[],
  { lockFile }: ResolvedConfig,
  cwd: string,
  sink: Sink,
): Promise<void> {
  const name = path.relative(cwd, path.resolve(cwd, lockFile));
  const lock = readLock(path.resolve(cwd, lockFile), name, sink);
  if (lock === undefined) return;
  const changes = apis
    .filter(({ isFetched }) => isFetched)
    .map(({ id, file }): DocumentChange => ({
      id,
      entry: null,
      file,
      bytes: null,
    }));
  await storeDocuments(changes, { cwd, lockFile: name }, sink);
}

/**
 * Generates the remaining APIs, because the copied runtime can contain modules
 * that only the removed ones need.
 */
async function generateOthers(
  { cwd, config }: RemoveOptions,
  sink: Sink,
): Promise<void> {
  const { resolved, diagnostics } = await loadConfig({ cwd, config });
  if (resolved === undefined) {
    // A config without APIs is an error only for a run.
    sink.diagnostics.push(
      ...diagnostics.filter(({ code }) => code !== "config-empty"),
    );
    return;
  }
  const run = await runJobs(resolved, {
    cwd,
    mode: "write",
    force: false,
    showsInfo: false,
    isOffline: true,
    isFrozen: false,
  });
  sink.diagnostics.push(
    ...run.diagnostics,
    ...run.jobs.flatMap((job) => job.diagnostics),
  );
}
