import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import type { ApiSettings } from "../generate/api-settings.js";
import { defaultOf } from "../generate/options.js";
import { isUrl } from "../platform/is-url.js";
import { documentFile, parseApiName } from "./api-name.js";
import type { LevelValues } from "./checked-config.js";
import { keysOf } from "./config-keys.js";
import type { JobApi } from "./job.js";
import { rebasePath, rebaseSource } from "./rebase-path.js";

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
export class ApiResolver {
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
