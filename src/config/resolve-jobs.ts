import path from "node:path";
import { suggestion } from "../diagnostics/closest.js";
import type { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";
import type { ApiSettings } from "../generate/api-settings.js";
import { defaultOf } from "../generate/options.js";
import { isUrl } from "../platform/is-url.js";
import { realFolder } from "../platform/paths.js";
import type { HostHeaders } from "../remote/remote-options.js";
import type { RuleLevels, ValidateSection } from "../validate/rule.js";
import { documentFile, parseApiName } from "./api-name.js";
import type {
  CheckedApis,
  CheckedConfig,
  CheckedJob,
  LevelValues,
} from "./checked-config.js";
import { keysOf } from "./config-keys.js";
import type { DiffSection, UpdateSection } from "./gen-config.js";
import type { Job, JobApi, JobOptions, ResolvedConfig } from "./job.js";
import { rebasePath, rebaseSource } from "./rebase-path.js";

export const LOCK_FILE = "gen.lock.json";

/**
 * Folders and option values that are needed to merge the levels of a config.
 */
export interface ResolveOptions {
  /**
   * Working directory, against which relative paths in `overrides` are resolved.
   */
  readonly cwd: string;
  /**
   * Folder of the config, against which relative paths in the config are
   * resolved.
   */
  readonly folder: string;
  /**
   * Values from the command line and the environment, which take precedence.
   */
  readonly overrides: LevelValues;
  /** Labels of the APIs to generate; absent for all. */
  readonly apis?: readonly string[] | undefined;
}

/**
 * Merges the levels of a config into jobs. Command line and environment take
 * precedence over the API, the API over its job, the job over the top level.
 * Reports mistakes that involve several keys.
 */
export function resolveJobs(
  config: CheckedConfig,
  options: ResolveOptions,
  sink: Sink,
): ResolvedConfig {
  const { cwd, folder, overrides } = options;
  const rebase = (name: string): string => rebasePath(name, folder, cwd);
  const specs = rebase((config.values["specs"] as string) ?? "specs");
  const resolver = new ApiResolver({ ...options, specs }, sink);
  const jobs = (config.jobs ?? [{ values: {} }]).map((job, index) =>
    resolveJob(config, job, `/jobs/${index}`, options, resolver, sink),
  );
  if (config.apis.size === 0 && jobs.every(({ apis }) => apis.length === 0))
    sink.report("config-empty", "apis must contain at least one API", "/apis");
  const selected = selectApis(jobs, options.apis, sink);
  reportSharedOutput(selected, cwd, sink);
  return {
    jobs: selected,
    specs,
    lockFile: path.join(folder, LOCK_FILE),
    isPartial: options.apis !== undefined,
    remote: remoteOf({ ...config.values, ...overrides }),
    levels: levelsOf(config.values),
    diff: (config.values["diff"] as DiffSection | undefined) ?? {},
    update: (config.values["update"] as UpdateSection | undefined) ?? {},
  };
}

/**
 * Returns the options at the top level of a config that apply to fetching
 * documents.
 */
export function remoteOf(values: LevelValues): ResolvedConfig["remote"] {
  const { directory, allowHttp, allowPrivate, headers } = values;
  return {
    ...(headers === undefined ? {} : { headers: headers as HostHeaders }),
    ...(typeof directory === "string" ? { directory } : {}),
    allowHttp: allowHttp === true,
    allowPrivate: allowPrivate === true,
  };
}

/** Returns the configured severities of the rules of `gen validate`. */
function levelsOf({ validate }: LevelValues): RuleLevels {
  return (validate as ValidateSection | undefined)?.rules ?? {};
}

function resolveJob(
  config: CheckedConfig,
  job: CheckedJob,
  pointer: string,
  options: ResolveOptions,
  resolver: ApiResolver,
  sink: Sink,
): Job {
  const at = config.jobs === undefined ? "" : pointer;
  const { cwd, folder, overrides } = options;
  const pick = (name: string): unknown =>
    overrides[name] ?? job.values[name] ?? config.values[name];
  const pickPath = (name: string): string | undefined => {
    const value = pick(name) as string | undefined;
    return value === undefined || overrides[name] !== undefined
      ? value
      : rebasePath(value, folder, cwd);
  };
  const out = pickPath("out");
  if (out === undefined)
    sink.report("config-out", "out is missing; expected an output folder", at);
  const templates = pickPath("templates");
  return {
    out: out ?? ".",
    options: {
      ...withDefaults(pick),
      // Targets on the command line apply to a single run, so the output of
      // other targets is not removed.
      prune:
        (pick("prune") as boolean | undefined) ??
        overrides["target"] === undefined,
      auth: pick("auth") === true,
      ...(templates === undefined ? {} : { templates }),
    },
    apis: resolveApis(config, job, at, resolver, sink),
  };
}

function resolveApis(
  config: CheckedConfig,
  job: CheckedJob,
  pointer: string,
  resolver: ApiResolver,
  sink: Sink,
): JobApi[] {
  const isOwn = job.apis !== undefined && !isList(job.apis);
  const owner = isOwn ? `${pointer}/apis` : "/apis";
  const entries = entriesOf(config, job, pointer, sink);
  const apis = [...entries].flatMap(([label, levels]): JobApi[] => {
    const values = [...levels, job.values, config.values];
    const at = `${owner}/${escapeToken(label)}`;
    const api = resolver.resolve(label, values, at);
    return api === undefined ? [] : [api];
  });
  reportSharedSources(apis, owner, sink);
  return apis;
}

/** Reports APIs with the same source, because their settings could differ. */
function reportSharedSources(
  apis: readonly JobApi[],
  pointer: string,
  sink: Sink,
): void {
  const labels = new Map<string, string>();
  for (const { id, file } of apis) {
    const name = path.normalize(file);
    const other = labels.get(name);
    if (other !== undefined)
      sink.report(
        "config-value",
        `${other} and ${id} have the same source ${file}`,
        `${pointer}/${escapeToken(id)}`,
      );
    labels.set(name, id);
  }
}

/** Returns the options of a job, with their defaults. */
function withDefaults(
  pick: (name: string) => unknown,
): Omit<JobOptions, "prune" | "auth" | "templates"> {
  const rows = keysOf("job").filter(({ kind }) => kind === "choice");
  return Object.fromEntries(
    rows.map((row) => [row.name, pick(row.name) ?? defaultOf(row)]),
  ) as never;
}

/**
 * Returns the values of each API of a job: first the values in the job, then
 * the values at the top level of the config.
 */
function entriesOf(
  { apis }: CheckedConfig,
  job: CheckedJob,
  pointer: string,
  sink: Sink,
): ReadonlyMap<string, readonly LevelValues[]> {
  if (job.apis === undefined)
    return new Map([...apis].map(([label, values]) => [label, [values]]));
  if (!isList(job.apis))
    return new Map(
      [...job.apis].map(([label, values]) => [
        label,
        [values, apis.get(label) ?? {}],
      ]),
    );
  const entries = new Map<string, readonly LevelValues[]>();
  for (const [index, label] of job.apis.entries()) {
    const values = apis.get(label);
    if (values === undefined)
      sink.report(
        "config-api",
        `the config has no API ${label}${suggestion(label, [...apis.keys()])}`,
        `${pointer}/apis/${index}`,
      );
    else entries.set(label, [values]);
  }
  return entries;
}

function isList(
  apis: readonly string[] | CheckedApis,
): apis is readonly string[] {
  return Array.isArray(apis);
}

/** Removes APIs that are not requested, and jobs without APIs. */
function selectApis(
  jobs: readonly Job[],
  names: readonly string[] | undefined,
  sink: Sink,
): readonly Job[] {
  if (names === undefined) return jobs.filter(({ apis }) => apis.length > 0);
  const known = new Set(jobs.flatMap(({ apis }) => apis.map(({ id }) => id)));
  for (const name of names.filter((label) => !known.has(label)))
    sink.report(
      "config-api",
      `the config has no API ${name}${suggestion(name, [...known])}`,
    );
  return jobs
    .map((job) => ({
      ...job,
      apis: job.apis.filter(({ id }) => names.includes(id)),
    }))
    .filter(({ apis }) => apis.length > 0);
}

/** Folders and option values that are needed to resolve APIs. */
interface ApisOptions {
  readonly cwd: string;
  readonly folder: string;
  readonly overrides: LevelValues;
  /** Folder of fetched documents, relative to the working directory. */
  readonly specs: string;
}

/** Keys of an API in the config that are not settings of the generator. */
const NOT_SETTINGS: ReadonlySet<string> = new Set(["source", "patches"]);

/**
 * Resolves the APIs of a config to documents and settings. Reports each mistake
 * once.
 */
class ApiResolver {
  readonly #options: ApisOptions;
  readonly #sink: Sink;
  /** Labels of fetched documents, keyed by lower-case file name. */
  readonly #files = new Map<string, string>();

  constructor(options: ApisOptions, sink: Sink) {
    this.#options = options;
    this.#sink = sink;
  }

  /**
   * Returns an API with the merged values of all config levels; undefined if
   * the document is missing.
   * @param levels values of the config levels; earlier levels take precedence
   */
  resolve(
    id: string,
    levels: readonly LevelValues[],
    pointer: string,
  ): JobApi | undefined {
    const { overrides, cwd, folder } = this.#options;
    const pick = (name: string): unknown =>
      [overrides, ...levels].find((level) => level[name] !== undefined)?.[name];
    const document = this.#documentOf(id, pick("source"), pointer);
    if (document === undefined) return undefined;
    const settings: Record<string, unknown> = { target: [], trustProse: false };
    for (const row of keysOf("api")) {
      const value = pick(row.name) ?? defaultOf(row);
      if (!NOT_SETTINGS.has(row.name) && value !== undefined)
        settings[row.name] = value;
    }
    const patches = (pick("patches") ?? []) as readonly string[];
    const api = {
      id,
      ...document,
      settings: settings as unknown as ApiSettings,
    };
    if (overrides["patches"] !== undefined) return { ...api, patches };
    const hasVersion = parseApiName(id)?.version !== undefined;
    return {
      ...api,
      patches: patches.map((file) => rebasePath(file, folder, cwd)),
      ...(hasVersion ? { patchedApi: id } : {}),
    };
  }

  #documentOf(
    id: string,
    source: unknown,
    pointer: string,
  ): Pick<JobApi, "file" | "source" | "isFetched"> | undefined {
    const { folder, cwd } = this.#options;
    if (typeof source === "string" && !isUrl(source) && source !== "-") {
      const file = rebaseSource(source, folder, cwd);
      return { file, isFetched: false };
    }
    if (typeof source === "string") {
      if (/^https?:\/\//i.test(source))
        return this.#fetched(id, source, pointer);
      const message = `source must be a file, folder, glob or http(s) URL, not ${source}`;
      this.#sink.report("config-value", message, `${pointer}/source`);
      return undefined;
    }
    if (parseApiName(id)?.version !== undefined)
      return this.#fetched(id, undefined, pointer);
    const message = `${id} must have a source, because the label does not have the form name:version`;
    this.#sink.report("config-value", message, pointer);
    return undefined;
  }

  /**
   * Returns an API with a fetched document. Reports an error if two APIs would
   * use the same file.
   */
  #fetched(
    id: string,
    source: string | undefined,
    pointer: string,
  ): Pick<JobApi, "file" | "source" | "isFetched"> | undefined {
    const file = path.posix.join(this.#options.specs, documentFile(id));
    const other = this.#files.get(file.toLowerCase()) ?? id;
    this.#files.set(file.toLowerCase(), other);
    if (other !== id) {
      const message = `${other} and ${id} would use the same file ${file}`;
      this.#sink.report("config-value", message, pointer);
      return undefined;
    }
    return {
      file,
      isFetched: true,
      ...(source === undefined ? {} : { source }),
    };
  }
}

/**
 * Reports jobs with the same output folder, because each job would delete the
 * files of the other jobs. An output folder inside another job's output folder
 * is allowed.
 */
function reportSharedOutput(
  jobs: readonly Job[],
  cwd: string,
  sink: Sink,
): void {
  const folders = new Set<string>();
  for (const { out } of jobs) {
    const folder = realFolder(path.resolve(cwd, out));
    if (folders.has(folder))
      sink.report(
        "config-out",
        `two jobs have the output folder ${out}; each job must have its own folder`,
      );
    folders.add(folder);
  }
}
