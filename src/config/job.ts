import type { ApiSettings } from "../generate/api-settings.js";
import type { Settings } from "../generate/settings.js";
import type { RemoteOptions } from "../remote/remote-options.js";
import type { DiffSection, UpdateSection } from "./gen-config.js";
import type { RuleLevels } from "../validate/rule.js";

export interface JobApi {
  /** Label in the config: `name:version`, or another name. */
  readonly id: string;
  /**
   * URL of the document; absent for local documents and for names that must be
   * looked up.
   */
  readonly source?: string;
  /**
   * Path of the document, or a folder or glob that contains it; relative to the
   * working directory.
   */
  readonly file: string;
  /** True if the file is a fetched document. */
  readonly isFetched: boolean;
  readonly settings: Omit<ApiSettings, "patches">;
  /** Patch files, relative to the working directory. */
  readonly patches: readonly string[];
  /**
   * Name and version that the patches must declare. Absent if `id` contains no
   * version, and for patches given on the command line, which can belong to
   * other APIs.
   */
  readonly patchedApi?: string;
}

/** Options of a job that apply to all of its documents. */
export type JobOptions = Pick<
  Settings,
  | "prune"
  | "auth"
  | "templates"
  | "emit"
  | "importSuffix"
  | "runtime"
  | "tsNocheck"
  | "formatter"
>;

/** Job that generates APIs into one output folder. */
export interface Job {
  /** Output folder, relative to the working directory. */
  readonly out: string;
  readonly options: JobOptions;
  readonly apis: readonly JobApi[];
}

/** Jobs of a config, with paths relative to the working directory. */
export interface ResolvedConfig {
  readonly jobs: readonly Job[];
  /** Options for fetching documents. */
  readonly remote: Pick<
    RemoteOptions,
    "directory" | "allowHttp" | "allowPrivate" | "headers"
  >;
  /** Severities of the rules of `gen validate`. */
  readonly levels: RuleLevels;
  /** Policy about changes of documents. */
  readonly diff: DiffSection;
  /** Policy of `gen update`. */
  readonly update: UpdateSection;
  /** Folder of fetched documents. */
  readonly specs: string;
  /** Path of the lock file, which is in the folder of the config. */
  readonly lockFile: string;
  /** True if some APIs of the config are not selected. */
  readonly isPartial: boolean;
}
