import type { DocumentOptions, FormOptions } from "../generate/api.js";
import type { ValidateSection } from "../validate/rule.js";

/** Targets that can be generated. */
export type TargetName =
  "client" | "validator" | "server" | "conformance" | "openapi" | "json-schema";

/** Options that apply to the documents of an API. */
export interface ApiOptions extends DocumentOptions {
  /** Targets to generate. Default: `["client"]`. */
  readonly target?: readonly TargetName[] | string;
}

/** Options that apply to an output folder. */
export interface OutputOptions extends FormOptions {
  /** Output folder, relative to the config file. */
  readonly out?: string;
  /**
   * Deletes the output of targets that are no longer in `target`. Default:
   * true.
   */
  readonly prune?: boolean;
}

/** API in a config. Its options take precedence over those of the job. */
export interface ApiConfig extends ApiOptions {
  /**
   * File, folder, glob or URL. Default: the fetched document
   * `<specs>/<name>.<version>.json`.
   */
  readonly source?: string;
  /** Globs of methods to generate, such as `compute.instances.*`. */
  readonly include?: readonly string[] | string;
  /** Globs of methods to exclude. */
  readonly exclude?: readonly string[] | string;
  /** Files with patches that are applied to the document. */
  readonly patches?: readonly string[] | string;
}

/**
 * APIs, keyed by `name:version`. An API with a `source` can have any label as
 * its key.
 */
export type ApiConfigs = Readonly<Record<string, ApiConfig | null>>;

/** Job in a config: the APIs that are generated into one output folder. */
export interface JobConfig extends ApiOptions, OutputOptions {
  /** Names of APIs in the config, or APIs with options. Default: all APIs. */
  readonly apis?: readonly string[] | ApiConfigs;
}

/** Change that a team has accepted. */
export interface AcceptedChange {
  /** API as `name:version`. */
  readonly api: string;
  /** Name of the rule, such as `method-removed`. */
  readonly rule: string;
  /** Changed object as in reports, such as `drive.files.touch` or `File.kind`. */
  readonly at: string;
  readonly reason: string;
  readonly owner?: string;
  /** Last day on which the entry applies, such as `2027-01-31` (UTC). */
  readonly until?: string;
}

/**
 * Changes that fail a comparison: those of a severity or higher, any, or
 * breaking changes that the user's code uses.
 */
export const FAIL_ON = ["used", "breaking", "warning", "any", "none"] as const;

export type FailOn = (typeof FAIL_ON)[number];

/** Policy about changes of documents. */
export interface DiffSection {
  /**
   * Changes that fail `gen diff`, for all audiences or for each; audiences that
   * are missing fail nothing. Default: `"breaking"`.
   */
  readonly failOn?:
    FailOn | Readonly<Partial<Record<"client" | "server" | "types", FailOn>>>;
  /** Severities of rules, which apply to all audiences; `none` omits changes. */
  readonly rules?: Readonly<
    Record<string, "breaking" | "warning" | "info" | "none">
  >;
  readonly accept?: readonly AcceptedChange[];
  /**
   * Globs of TypeScript and JavaScript files that use the generated code,
   * relative to the working directory. Reports contain the positions that changes affect.
   */
  readonly uses?: readonly string[] | string;
}

/** Reasons why `gen update` keeps the previous document and output of an API. */
export const KEPT_REASONS = [
  "gone",
  "older",
  "unreachable",
  "invalid",
  "shrunk",
  "patch-stale",
  "generation-failed",
] as const;

export type KeptReason = (typeof KEPT_REASONS)[number];

/** Levels of the reasons for which `gen update` keeps an API. */
export const KEPT_LEVELS = ["keep", "warn", "fail"] as const;

export type KeptLevel = (typeof KEPT_LEVELS)[number];

/** Policy of `gen update`. */
export interface UpdateSection extends Partial<Record<KeptReason, KeptLevel>> {
  /**
   * `prune` removes adopted operations from patch files; `keep` leaves them.
   * Default: `"prune"`.
   */
  readonly patches?: "prune" | "keep";
}

/** Config of `gen`: the content of gen.config.yaml, .json, .ts or .js. */
export interface GenConfig extends ApiOptions, OutputOptions {
  /** Location of the JSON Schema, for editors. */
  readonly $schema?: string;
  /**
   * URL of the directory service in which names such as `drive:v3` are looked
   * up.
   */
  readonly directory?: string;
  /** Allows http URLs for documents and API directories. Default: false. */
  readonly allowHttp?: boolean;
  /**
   * Allows documents and API directories to be fetched from the local machine
   * and private networks. Default: false.
   */
  readonly allowPrivate?: boolean;
  /** Folder of fetched documents. Default: `"specs"`. */
  readonly specs?: string;
  /**
   * Request headers, keyed by host (`http://host` for a server without https)
   * and header name. Values refer to environment variables whose names begin
   * with `GEN_`: `env:GEN_NAME`, or `Bearer env:GEN_NAME`.
   */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Settings of `gen validate`. */
  readonly validate?: ValidateSection;
  /** Policy of `gen diff`, `gen changelog` and the report of `gen --check`. */
  readonly diff?: DiffSection;
  /**
   * Policy of `gen update`: `keep` (default), `warn` or `fail` for each reason to
   * keep an API.
   */
  readonly update?: UpdateSection;
  readonly apis: ApiConfigs;
  /** Jobs, which run one after another. Default: one job with all APIs. */
  readonly jobs?: readonly JobConfig[];
}

/**
 * Returns its argument. The call lets editors check and complete a config that
 * is written in JavaScript.
 */
export function defineConfig(config: GenConfig): GenConfig {
  return config;
}
