import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import type { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";
import { headerProblem, hostProblem } from "../remote/remote-settings.js";
import { RULE_LEVELS } from "../validate/rule.js";
import { describeValue } from "./check-value.js";
import { FAIL_ON, KEPT_LEVELS, KEPT_REASONS } from "./gen-config.js";

/** Section of a config file: a key whose value is an object. */
export interface ConfigSection {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the section's value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Reports invalid content of the section. */
  check(value: unknown, pointer: string, sink: Sink): void;
}

const AUDIENCES = ["client", "server", "types"];
const DIFF_LEVELS = ["breaking", "warning", "info", "none"];
const PATCH_LEVELS = ["prune", "keep"];
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Sections that are allowed at the top level of a config file. */
export const SECTIONS: readonly ConfigSection[] = [
  {
    name: "headers",
    description:
      "request headers, keyed by host, such as api.example.com, and by header name; values are env:GEN_NAME or <scheme> env:GEN_NAME, never the credentials themselves",
    schema: {
      type: "object",
      propertyNames: { pattern: "^(http://)?[^/?#@\\s]+$" },
      additionalProperties: {
        type: "object",
        additionalProperties: {
          type: "string",
          pattern: "^([A-Za-z][\\w-]* )?env:GEN_\\w*$",
        },
      },
    },
    check: checkHeaders,
  },
  {
    name: "validate",
    description:
      "settings of gen validate; the key `rules` maps rule names to levels",
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {
        rules: {
          description: "levels, keyed by rule name or diagnostic code",
          type: "object",
          additionalProperties: { enum: RULE_LEVELS },
        },
      },
    },
    check: checkValidate,
  },
  {
    name: "diff",
    description:
      "policy of gen diff, gen changelog and the report of gen --check",
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {
        failOn: {
          description:
            "changes that result in exit code 1, for all audiences or for each (default: breaking)",
          anyOf: [
            { enum: FAIL_ON },
            {
              type: "object",
              additionalProperties: false,
              properties: Object.fromEntries(
                AUDIENCES.map((name) => [name, { enum: FAIL_ON }]),
              ),
            },
          ],
        },
        rules: {
          description: "severities, keyed by rule name; none omits changes",
          type: "object",
          additionalProperties: { enum: DIFF_LEVELS },
        },
        uses: {
          description:
            "globs of TypeScript and JavaScript files that use the generated code",
          anyOf: [
            { type: "string", minLength: 1 },
            { type: "array", items: { type: "string", minLength: 1 } },
          ],
        },
        accept: {
          description: "changes that do not fail a comparison",
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["api", "rule", "at", "reason"],
            properties: {
              api: { type: "string" },
              rule: { type: "string" },
              at: {
                type: "string",
                description: "changed object as in reports, such as File.kind",
              },
              reason: { type: "string", minLength: 1 },
              owner: { type: "string" },
              until: { type: "string", pattern: DATE.source },
            },
          },
        },
      },
    },
    check: checkDiff,
  },
  {
    name: "update",
    description:
      "policy of gen update about APIs whose previous documents and output are kept",
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {
        ...Object.fromEntries(
          KEPT_REASONS.map((reason) => [reason, { enum: KEPT_LEVELS }]),
        ),
        patches: {
          description:
            "prune removes adopted operations from patch files (default)",
          enum: PATCH_LEVELS,
        },
      },
    },
    check: checkUpdate,
  },
];

/**
 * Reports invalid hosts and headers. Header values are never printed, since
 * they can be credentials.
 */
function checkHeaders(value: unknown, pointer: string, sink: Sink): void {
  for (const [host, fields, at] of membersOf("headers", value, pointer, sink)) {
    const problem = hostProblem(host);
    if (problem !== undefined) sink.report("config-value", problem, at);
    const subject = `headers of ${host}`;
    for (const [name, field, place] of membersOf(subject, fields, at, sink)) {
      const found = headerProblem(host, name, field);
      if (found !== undefined) sink.report("config-value", found, place);
    }
  }
}

function checkValidate(value: unknown, pointer: string, sink: Sink): void {
  for (const [key, rules, at] of membersOf("validate", value, pointer, sink)) {
    if (key !== "rules") reportKey("validate", key, ["rules"], at, sink);
    else
      for (const [name, level, place] of membersOf("rules", rules, at, sink))
        checkWord(`the level of ${name}`, level, RULE_LEVELS, place, sink);
  }
}

const DIFF_KEYS = ["failOn", "rules", "accept", "uses"];
const ACCEPT_KEYS = ["api", "rule", "at", "reason", "owner", "until"];

function checkDiff(value: unknown, pointer: string, sink: Sink): void {
  for (const [key, member, at] of membersOf("diff", value, pointer, sink)) {
    if (key === "failOn") checkFailOn(member, at, sink);
    else if (key === "rules")
      for (const [name, level, place] of membersOf("rules", member, at, sink))
        checkWord(`the severity of ${name}`, level, DIFF_LEVELS, place, sink);
    else if (key === "accept") checkAccept(member, at, sink);
    else if (key === "uses") checkUses(member, at, sink);
    else reportKey("diff", key, DIFF_KEYS, at, sink);
  }
}

function checkUpdate(value: unknown, pointer: string, sink: Sink): void {
  const reasons: readonly string[] = KEPT_REASONS;
  for (const [key, member, at] of membersOf("update", value, pointer, sink))
    if (key === "patches") checkWord(key, member, PATCH_LEVELS, at, sink);
    else if (reasons.includes(key))
      checkWord(key, member, KEPT_LEVELS, at, sink);
    else reportKey("update", key, [...reasons, "patches"], at, sink);
}

function checkFailOn(value: unknown, pointer: string, sink: Sink): void {
  if (!isObject(value)) {
    checkWord("failOn", value, FAIL_ON, pointer, sink);
    return;
  }
  for (const [name, level, at] of membersOf("failOn", value, pointer, sink))
    if (AUDIENCES.includes(name))
      checkWord(`failOn of ${name}`, level, FAIL_ON, at, sink);
    else reportKey("failOn", name, AUDIENCES, at, sink);
}

function checkUses(value: unknown, pointer: string, sink: Sink): void {
  const globs: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const glob of globs)
    if (typeof glob !== "string" || glob === "")
      sink.report(
        "config-value",
        `uses must be a glob, or a list of globs; found ${describeValue(glob)}`,
        pointer,
      );
}

function checkAccept(value: unknown, pointer: string, sink: Sink): void {
  if (!Array.isArray(value)) {
    const message = `accept must be a list; found ${describeValue(value)}`;
    sink.report("config-value", message, pointer);
    return;
  }
  for (const [index, entry] of value.entries()) {
    const at = `${pointer}/${index}`;
    const members = membersOf(`accept[${index}]`, entry, at, sink);
    for (const [key, member, place] of members)
      if (!ACCEPT_KEYS.includes(key))
        reportKey(`accept[${index}]`, key, ACCEPT_KEYS, place, sink);
      else if (typeof member !== "string" || member === "")
        sink.report(
          "config-value",
          `${key} must be a string; found ${describeValue(member)}`,
          place,
        );
      else if (key === "until" && !DATE.test(member))
        sink.report(
          "config-value",
          `until must be a date such as 2027-01-31; found ${describeValue(member)}`,
          place,
        );
    const names = new Set(members.map(([key]) => key));
    for (const key of ACCEPT_KEYS.slice(0, 4))
      if (isObject(entry) && !names.has(key))
        sink.report("config-value", `accept[${index}] has no ${key}`, at);
  }
}

function checkWord(
  subject: string,
  value: unknown,
  words: readonly string[],
  pointer: string,
  sink: Sink,
): void {
  if (words.some((word) => word === value)) return;
  sink.report(
    "config-value",
    `${subject} must be one of ${words.join(", ")}; found ${describeValue(value)}`,
    pointer,
  );
}

function reportKey(
  subject: string,
  key: string,
  keys: readonly string[],
  pointer: string,
  sink: Sink,
): void {
  sink.report(
    "config-key",
    `${subject} has the unknown key ${describeValue(key)}${suggestion(key, keys)}; expected one of ${keys.join(", ")}`,
    pointer,
  );
}

/**
 * Returns the members of an object with their JSON pointers; reports a value
 * that is not an object.
 */
function membersOf(
  subject: string,
  value: unknown,
  pointer: string,
  sink: Sink,
): readonly (readonly [string, unknown, string])[] {
  if (!isObject(value)) {
    // A header value is not printed, because it could be a credential.
    const found = typeof value === "string" ? "a string" : describeValue(value);
    const message = `${subject} must be an object; found ${found}`;
    sink.report("config-value", message, pointer);
    return [];
  }
  return Object.entries(value).map(([key, member]) => [
    key,
    member,
    `${pointer}/${escapeToken(key)}`,
  ]);
}
