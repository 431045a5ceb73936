import type { ConfigLevel } from "../generate/options.js";

/**
 * Values of one config level (file, job or API), keyed by config key. A job
 * generates APIs into one output folder. Lists and choices are arrays.
 */
export type LevelValues = Readonly<Record<string, unknown>>;

/**
 * Map from the label of an API to its values, in the order of the config file.
 */
export type CheckedApis = ReadonlyMap<string, LevelValues>;

/** Job in a valid config: the APIs that are generated into one output folder. */
export interface CheckedJob {
  readonly values: LevelValues;
  /**
   * Labels of APIs, or APIs with their own values; absent to use all APIs of
   * the config.
   */
  readonly apis?: readonly string[] | CheckedApis;
}

/** Config whose keys and values are valid. */
export interface CheckedConfig {
  readonly values: LevelValues;
  readonly apis: CheckedApis;
  readonly jobs?: readonly CheckedJob[];
}

/** Map from config level to its name in messages. */
export const LEVEL_NAMES: Readonly<Record<ConfigLevel, string>> = {
  file: "the config",
  job: "a job",
  api: "an API",
};
