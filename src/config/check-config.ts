import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import { escapeToken } from "../diagnostics/types.js";
import type { Sink } from "../diagnostics/sink.js";
import type { ConfigLevel } from "../generate/options.js";
import { parseApiName } from "./api-name.js";
import {
  LEVEL_NAMES,
  type CheckedApis,
  type CheckedConfig,
  type CheckedJob,
  type LevelValues,
} from "./checked-config.js";
import { checkValue, describeValue } from "./check-value.js";
import { SECTIONS } from "./config-sections.js";
import { keysOf, namesOf } from "./config-keys.js";

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
