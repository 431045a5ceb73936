import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { checkConfig } from "./check-config.js";
import type { CheckedConfig, LevelValues } from "./checked-config.js";
import { findConfig } from "./find-config.js";
import type { GenConfig } from "./gen-config.js";
import type { ResolvedConfig } from "./job.js";
import type { LoadedConfig } from "./loaded-config.js";
import { readConfig } from "./read-config.js";
import { resolveJobs } from "./resolve-jobs.js";

/** Options of `loadConfig`, which reads a config. */
export interface LoadOptions {
  readonly cwd: string;
  /**
   * Path of the config file, or a config object. Default: the config file in
   * `cwd`.
   */
  readonly config?: string | GenConfig | undefined;
  /** Labels of APIs to generate; absent for all. */
  readonly apis?: readonly string[] | undefined;
  /**
   * Values from the command line and the environment, which take precedence
   * over the config.
   */
  readonly overrides?: LevelValues | undefined;
}

/**
 * Result of loading a config; `resolved` is absent if a diagnostic is an error.
 */
export interface ConfigResult {
  /**
   * Absolute path of the file; absent for configs that a program passes as
   * objects.
   */
  readonly file?: string;
  readonly checked?: CheckedConfig;
  readonly resolved?: ResolvedConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds, reads and checks a config and merges its levels into jobs. Throws
 * MissingPackageError if a config in TypeScript needs a package.
 */
export async function loadConfig(options: LoadOptions): Promise<ConfigResult> {
  const { config, cwd } = options;
  if (typeof config === "object")
    return resolve({ value: config }, undefined, new Sink(), options);
  const search = new Sink();
  const file = findConfig(cwd, config, search);
  if (file === undefined) return { diagnostics: search.diagnostics };
  const name = config ?? path.basename(file);
  const sink = new Sink(name);
  const loaded = await readConfig(file, name, sink);
  return loaded === undefined
    ? { file, diagnostics: sink.diagnostics }
    : resolve(loaded, file, sink, options);
}

async function resolve(
  loaded: LoadedConfig,
  file: string | undefined,
  sink: Sink,
  { cwd, overrides = {}, apis }: LoadOptions,
): Promise<ConfigResult> {
  const checked = checkConfig(loaded.value, sink);
  const names = ruleNames(loaded.value);
  if (names.length > 0) {
    const { checkRuleNames } = await import("./rule-names.js");
    checkRuleNames(names, sink);
  }
  const folder = file === undefined ? cwd : path.dirname(file);
  const resolved =
    checked === undefined || sink.hasErrors
      ? undefined
      : resolveJobs(checked, { cwd, folder, overrides, apis }, sink);
  return {
    ...(file === undefined ? {} : { file }),
    ...(checked === undefined ? {} : { checked }),
    ...(resolved === undefined || sink.hasErrors ? {} : { resolved }),
    diagnostics: located(sink.diagnostics, loaded),
  };
}

/** Returns the names in the section `validate.rules`. */
function ruleNames(config: unknown): readonly string[] {
  const section = isObject(config) ? config["validate"] : undefined;
  const rules = isObject(section) ? section["rules"] : undefined;
  return isObject(rules) ? Object.keys(rules) : [];
}

/** Adds the positions in the config file to diagnostics. */
function located(
  diagnostics: readonly Diagnostic[],
  { positionOf }: LoadedConfig,
): Diagnostic[] {
  return diagnostics.map((finding) => {
    const { pointer } = finding;
    return pointer === undefined
      ? finding
      : { ...finding, ...positionOf?.(pointer) };
  });
}
