import path from "node:path";
import { definedMembers } from "../../platform/defined-members.js";
import { fetchedApis } from "../../config/ensure-documents.js";
import type { KeptReason } from "../../config/gen-config.js";
import type { JobApi, ResolvedConfig } from "../../config/job.js";
import { loadConfig } from "../../config/load-config.js";
import { Sink } from "../../diagnostics/sink.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { reportRemote } from "../../remote/document-fetcher.js";
import { fetchLatest, type Candidate } from "../../remote/fetch-latest.js";
import { RemoteError } from "../../remote/http/http-settings.js";
import { readLock, type Lock } from "../../remote/lock-file.js";
import type { RemoteOptions } from "../../remote/remote-options.js";
import type { LockOptions } from "../../remote/remote-settings.js";
import { discardStaged } from "../../remote/staged-document.js";
import {
  storeDocuments,
  type DocumentChange,
} from "../../remote/store-documents.js";
import { documentChange, isAccepted } from "../../remote/update-documents.js";
import type { Comparison } from "../../diff/compare.js";
import { diffConfigOf, userCode } from "../diff-project.js";
import { countChanges, type ReportedUpdate } from "./api-update.js";
import { compareUpdates } from "./compare-updates.js";
import { generateUpdates, selectJobs } from "./generate-updates.js";
import { checkPatches, prunePatches, restorePatches } from "./patch-state.js";
import type { UpdatingApi } from "./updating-api.js";

/** Options of `updateProject`. */
export interface UpdateProjectOptions extends RemoteOptions {
  readonly cwd: string;
  /** Path of the config file. Default: the one in the working directory. */
  readonly config?: string | undefined;
  /** Labels of the APIs to update; empty to update all APIs. */
  readonly apis: readonly string[];
  /** True to report what would be updated without writing files. */
  readonly isCheck: boolean;
  /** Globs of code that uses the APIs. Default: `diff.uses` of the config. */
  readonly uses?: readonly string[] | undefined;
  readonly onProgress?:
    ((id: string, done: number, total: number) => void) | undefined;
}

/** Result of `updateProject`. */
export interface ProjectUpdate {
  readonly apis: readonly ReportedUpdate[];
  /** Findings that belong to no kept API. */
  readonly diagnostics: readonly Diagnostic[];
  /** Config; absent if it is invalid. */
  readonly resolved?: ResolvedConfig;
}

/**
 * Updates the documents of a config, their patches and their output. An API that
 * can't be updated keeps its previous document and output, and does not stop the
 * others.
 */
export async function updateProject(
  options: UpdateProjectOptions,
): Promise<ProjectUpdate> {
  const { cwd, config, apis: names, isCheck } = options;
  const selected = names.length > 0 ? names : undefined;
  const loaded = await loadConfig({ cwd, config, apis: selected });
  const { resolved, file } = loaded;
  const sink = new Sink();
  sink.diagnostics.push(...loaded.diagnostics);
  const failed = { apis: [], diagnostics: sink.diagnostics };
  if (resolved === undefined) return failed;
  const lockFile = path.relative(cwd, path.resolve(cwd, resolved.lockFile));
  const lock = readLock(path.resolve(cwd, lockFile), lockFile, sink);
  if (lock === undefined) return failed;
  const target = { ...fetchOptions(resolved, options), cwd, lockFile };
  const apis = await fetchApis(resolved, lock, target, options, sink);
  if (apis === undefined) return failed;
  for (const api of apis)
    if (api.kept === undefined) await checkPatches(api, cwd);
  // The config of comparisons contains the patches before they are pruned.
  const diff = await diffConfigOf(resolved, file, cwd);
  const code = userCode(options.uses, diff, cwd);
  const pending = apis.filter(({ kept, change }) => !kept && change?.bytes);
  const comparisons = await compareUpdates(pending, diff, code, sink);
  if (!isCheck) await write(apis, { resolved, lock, target, sink });
  const hasUses = code !== undefined;
  const updates = apis.map((api) =>
    reportedUpdate(api, comparisons, lock, hasUses),
  );
  return { apis: updates, diagnostics: sink.diagnostics, resolved };
}

function fetchOptions(
  { remote }: ResolvedConfig,
  { directory, isOffline, allowHttp, allowPrivate }: UpdateProjectOptions,
): RemoteOptions {
  const given = { directory, isOffline, allowHttp, allowPrivate };
  return { ...remote, ...definedMembers(given) };
}

/** Fetches the latest documents. Returns undefined if a setting is invalid. */
async function fetchApis(
  { jobs }: ResolvedConfig,
  lock: Lock,
  target: LockOptions,
  { onProgress }: UpdateProjectOptions,
  sink: Sink,
): Promise<UpdatingApi[] | undefined> {
  const all = jobs.flatMap((job) => job.apis);
  const fetched = new Map<string, Omit<UpdatingApi, "jobApis">>();
  try {
    const requests = { ...target, onProgress };
    for (const found of await fetchLatest(fetchedApis(all), lock, requests))
      fetched.set(
        found.api.file,
        "error" in found
          ? { kept: keptAfter(found.error, found.api.id) }
          : candidateState(found, target.cwd),
      );
  } catch (error) {
    // A header setting is invalid.
    reportRemote(error, "", sink);
    return undefined;
  }
  return [...new Set(all.map(({ file }) => file))].map((file) => ({
    jobApis: all.filter((api) => api.file === file) as [JobApi, ...JobApi[]],
    ...fetched.get(file),
  }));
}

/** Returns why an API is kept whose document could not be fetched. */
function keptAfter(
  error: unknown,
  id: string,
): NonNullable<UpdatingApi["kept"]> {
  const sink = new Sink();
  reportRemote(error, id, sink);
  return { reason: reasonOf(error), findings: sink.diagnostics };
}

function reasonOf(error: unknown): KeptReason {
  if (!(error instanceof RemoteError)) return "invalid";
  const { code } = error;
  if (code === "remote-gone" || code === "remote-unknown") return "gone";
  return code === "remote-response" || code === "remote-mismatch"
    ? "invalid"
    : "unreachable";
}

function candidateState(
  candidate: Candidate,
  cwd: string,
): Omit<UpdatingApi, "jobApis"> {
  const sink = new Sink();
  if (!isAccepted(candidate, {}, sink)) {
    const reason = candidate.loss === undefined ? "older" : "shrunk";
    return { candidate, kept: { reason, findings: sink.diagnostics } };
  }
  const change = documentChange(candidate, cwd);
  const before = bytesOf(path.resolve(cwd, candidate.api.file));
  return {
    candidate,
    ...(change === undefined ? {} : { change }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Returns the bytes of a file; undefined if it is missing or can't be read. */
function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileLimited(file);
  } catch {
    return undefined;
  }
}

/** Config and lock file of the project that an update writes. */
interface WriteOptions {
  readonly resolved: ResolvedConfig;
  readonly lock: Lock;
  readonly target: LockOptions;
  readonly sink: Sink;
}

/** Stores documents, prunes patches and generates the APIs. */
async function write(
  apis: readonly UpdatingApi[],
  { resolved, lock, target, sink }: WriteOptions,
): Promise<void> {
  const { cwd } = target;
  for (const { candidate } of apis)
    if (candidate !== undefined)
      discardStaged(path.resolve(cwd, candidate.api.file));
  await storeUpdates(apis, { resolved, lock, target, sink });
  if (resolved.update.patches !== "keep")
    for (const api of apis)
      if (api.kept === undefined) await prunePatches(api, cwd, sink);
  await generateUpdates(apis, resolved, cwd, sink);
  await restore(
    apis.filter(({ kept }) => kept?.reason === "generation-failed"),
    { resolved, lock, target, sink },
  );
}

/** Stores the documents of the APIs that are not kept. */
async function storeUpdates(
  apis: readonly UpdatingApi[],
  { resolved, lock, target, sink }: WriteOptions,
): Promise<void> {
  const ids = new Set(apis.map(({ jobApis: [{ id }] }) => id));
  const removed = resolved.isPartial
    ? []
    : [...lock.keys()].filter((id) => !ids.has(id));
  const pending = apis.filter(({ kept, change }) => !kept && change);
  const found = new Sink();
  const stored = await storeDocuments(
    [
      ...removed.map((id): DocumentChange => ({ id, entry: null })),
      ...pending.map(({ change }) => change!),
    ],
    target,
    found,
  );
  sink.diagnostics.push(...found.diagnostics);
  for (const api of pending)
    if (!stored.has(api.change!.id))
      api.kept = { reason: "generation-failed", findings: found.diagnostics };
}

/** Restores the documents, lock entries, patches and output of APIs. */
async function restore(
  apis: readonly UpdatingApi[],
  { resolved, lock, target, sink }: WriteOptions,
): Promise<void> {
  const { cwd } = target;
  const changes = apis.flatMap(({ change, before }): DocumentChange[] => {
    if (change === undefined) return [];
    const { id, file } = change;
    const document = file === undefined ? {} : { file, bytes: before ?? null };
    return [{ id, entry: lock.get(id) ?? null, ...document }];
  });
  await storeDocuments(changes, target, sink);
  for (const api of apis) restorePatches(api, cwd, sink);
  // An API of several jobs can have new output in those that succeeded.
  const repeated = apis.filter(
    ({ jobApis, before }) => jobApis.length > 1 && before !== undefined,
  );
  if (repeated.length > 0)
    await generateUpdates(
      repeated,
      selectJobs(resolved, (api) =>
        repeated.some(({ jobApis }) => jobApis.includes(api)),
      ),
      cwd,
      new Sink(),
    );
}

/** Returns the result of an API, with its changes. */
function reportedUpdate(
  { jobApis, candidate, kept, change, patches }: UpdatingApi,
  comparisons: ReadonlyMap<string, Comparison>,
  lock: Lock,
  hasUses: boolean,
): ReportedUpdate {
  const [{ id }] = jobApis;
  const { name, version } = candidate?.document ?? {};
  const isUpdated = !kept && change !== undefined;
  const comparison = isUpdated
    ? comparisons.get(`${name}:${version}`)
    : undefined;
  const locked = lock.get(id)?.revision ?? null;
  const latest = candidate?.document.revision ?? null;
  const findings = kept?.findings ?? [];
  return {
    api: id,
    status: kept ? "kept" : isUpdated ? "updated" : "unchanged",
    reason: kept?.reason ?? null,
    from: comparison?.result.from ?? locked,
    to: kept || isUpdated ? latest : locked,
    ...countChanges(comparison, hasUses),
    message: findings[0]?.message ?? null,
    findings,
    pruned: kept ? [] : (patches?.pruned ?? []),
    comparison,
  };
}
