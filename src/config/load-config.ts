import path from "node:path";
import { catalogue } from "../diagnostics/catalogue.js";
import { suggestion } from "../diagnostics/closest.js";
import { formatCount } from "../diagnostics/format-count.js";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { type Diagnostic, escapeToken } from "../diagnostics/types.js";
import type { ConfigLevel } from "../generate/options.js";
import { readFileLimited } from "../platform/read-limited.js";
import { parseApiName } from "./api-name.js";
import { checkValue, describeValue } from "./check-value.js";
import {
  type CheckedApis,
  type CheckedConfig,
  type CheckedJob,
  LEVEL_NAMES,
  type LevelValues,
} from "./checked-config.js";
import { keysOf, namesOf } from "./config-keys.js";
import { SECTIONS } from "./config-sections.js";
import { findConfig } from "./find-config.js";
import type { GenConfig } from "./gen-config.js";
import type { ResolvedConfig } from "./job.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";
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

/** Maximum number of reported findings about a config. */
const MAX_FINDINGS = 100;

/**
 * Adds the positions in the config file to diagnostics. Counts those beyond the
 * limit, because each position is searched from the start of the file.
 */
function located(
  diagnostics: readonly Diagnostic[],
  { positionOf }: LoadedConfig,
): Diagnostic[] {
  const found = diagnostics.slice(0, MAX_FINDINGS).map((finding) => {
    const { pointer } = finding;
    return pointer === undefined
      ? finding
      : { ...finding, ...positionOf?.(pointer) };
  });
  const left = diagnostics.length - found.length;
  if (left === 0) return found;
  const { pointer: _, ...last } = diagnostics[MAX_FINDINGS]!;
  const count = formatCount(left, "more finding is", "more findings are");
  return [...found, { ...last, message: `${count} not shown` }];
}

/**
 * Checks a config against the table of allowed keys. Reports all mistakes;
 * returns undefined if there are any.
 */
export function checkConfig(
  value: unknown,
  sink: Sink,
): CheckedConfig | undefined {
  const values = checkLevel(value, "file", "", sink);
  if (values === undefined) return undefined;
  const members = value as Record<string, unknown>;
  if (!Object.hasOwn(members, "apis"))
    sink.report("config-value", "apis is missing; expected an object", "");
  const apis = Object.hasOwn(members, "apis")
    ? checkApis(members["apis"], "/apis", sink)
    : undefined;
  const jobs = checkJobs(members, sink);
  if (sink.hasErrors || apis === undefined) return undefined;
  return { values, apis, ...(jobs === undefined ? {} : { jobs }) };
}

/**
 * Checks the keys of a config level (file, job or API), except for `apis` and
 * `jobs`. Returns undefined if the level is not an object.
 */
function checkLevel(
  value: unknown,
  level: ConfigLevel,
  pointer: string,
  sink: Sink,
): LevelValues | undefined {
  if (!isObject(value)) {
    const message = `${LEVEL_NAMES[level]} must be an object, found ${describeValue(value)}`;
    sink.report("config-value", message, pointer);
    return undefined;
  }
  const checked: Record<string, unknown> = {};
  const rows = keysOf(level);
  const names = namesOf(level);
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${escapeToken(key)}`;
    const row = rows.find(({ name }) => name === key);
    const section = SECTIONS.find(({ name }) => name === key);
    if (!names.includes(key))
      sink.report("config-key", unknownKey(key, level, names), at);
    if (level === "file" && section !== undefined && member !== undefined) {
      section.check(member, at, sink);
      checked[key] = member;
    }
    if (row === undefined || member === undefined) continue;
    const result = checkValue(row, member);
    if ("value" in result) checked[key] = result.value;
    else
      sink.report(
        "config-value",
        `${key} must be ${result.expected}, found ${describeValue(member)}`,
        at,
      );
  }
  return checked;
}

/**
 * Returns the message for an unknown key. The message names the level at which
 * the key is allowed, if any.
 */
function unknownKey(
  key: string,
  level: ConfigLevel,
  names: readonly string[],
): string {
  const levels = Object.keys(LEVEL_NAMES) as ConfigLevel[];
  const other = levels.find((name) => namesOf(name).includes(key));
  const hint =
    other === undefined
      ? suggestion(key, names)
      : ` (it is a key of ${LEVEL_NAMES[other]})`;
  return `${LEVEL_NAMES[level]} has the unknown key ${describeValue(key)}${hint}; expected one of ${names.join(", ")}`;
}

function checkApis(
  value: unknown,
  pointer: string,
  sink: Sink,
): CheckedApis | undefined {
  if (!isObject(value)) {
    const message = `apis must be an object with an entry for each API, found ${describeValue(value)}`;
    sink.report("config-value", message, pointer);
    return undefined;
  }
  const apis = new Map<string, LevelValues>();
  for (const [label, entry] of Object.entries(value)) {
    const at = `${pointer}/${escapeToken(label)}`;
    if (parseApiName(label) === undefined)
      sink.report(
        "config-value",
        `${describeValue(label)} must be name:version or a label of letters, digits, ".", "_" and "-"`,
        at,
      );
    const values = checkLevel(entry ?? {}, "api", at, sink);
    if (values !== undefined) apis.set(label, values);
  }
  return apis;
}

function checkJobs(
  members: Readonly<Record<string, unknown>>,
  sink: Sink,
): CheckedJob[] | undefined {
  const jobs = Object.hasOwn(members, "jobs") ? members["jobs"] : undefined;
  if (jobs === undefined) return undefined;
  if (Array.isArray(jobs) && jobs.length > 0)
    return jobs.flatMap((job, index) => checkJob(job, `/jobs/${index}`, sink));
  const message = `jobs must be a list of at least one job, found ${describeValue(jobs)}`;
  sink.report("config-value", message, "/jobs");
  return undefined;
}

function checkJob(job: unknown, pointer: string, sink: Sink): CheckedJob[] {
  const values = checkLevel(job, "job", pointer, sink);
  if (values === undefined) return [];
  const { apis } = job as Record<string, unknown>;
  if (apis === undefined) return [{ values }];
  if (!Array.isArray(apis)) {
    const checked = checkApis(apis, `${pointer}/apis`, sink);
    return checked === undefined ? [] : [{ values, apis: checked }];
  }
  if (apis.length > 0 && apis.every((name) => typeof name === "string"))
    return [{ values, apis }];
  sink.report(
    "config-value",
    "apis of a job must be a list of API names, or an object",
    `${pointer}/apis`,
  );
  return [];
}

/**
 * Reads a config file in the format that its extension indicates. Reports a
 * file that can't be read, parsed or run, and returns undefined. Throws
 * MissingPackageError if a config in TypeScript needs a package.
 * @param name path of the file, as shown in messages
 */
async function readConfig(
  file: string,
  name: string,
  sink: Sink,
): Promise<LoadedConfig | undefined> {
  try {
    return await read(file);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    const { severity, cause, fix } = catalogue["config-file"];
    const message = `${name} can't be used: ${error.message}`;
    sink.diagnostics.push({
      code: "config-file",
      severity,
      message,
      cause,
      fix,
      file: name,
      ...error.position,
    });
    return undefined;
  }
}

async function read(file: string): Promise<LoadedConfig> {
  switch (path.extname(file)) {
    case ".yaml":
    case ".yml":
      return (await import("./read-yaml.js")).readYaml(textOf(file));
    case ".json":
      return (await import("./read-json.js")).readJson(textOf(file));
    default: {
      const { importConfig } = await import("./import-config.js");
      return { value: await importConfig(file) };
    }
  }
}

/** Returns the text of a file without its byte order mark. */
function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileLimited(file);
  } catch (error) {
    throw new ConfigFileError((error as Error).message);
  }
  const text = bytes.toString();
  if (text.includes("\ufffd") || text.includes("\0"))
    throw new ConfigFileError("the file must be UTF-8 text");
  return text.replace(/^\ufeff/, "");
}
