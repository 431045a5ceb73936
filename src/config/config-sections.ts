import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import type { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";
import { headerProblem, hostProblem } from "../remote/remote-settings.js";
import { RULE_LEVELS } from "../validate/rule.js";
import { describeValue } from "./check-value.js";

/** Section of a config file: a key whose value is an object. */
export interface ConfigSection {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the section's value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Reports invalid content of the section. */
  check(value: unknown, pointer: string, sink: Sink): void;
}

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
    if (key !== "rules")
      sink.report(
        "config-key",
        `validate has the unknown key ${describeValue(key)}${suggestion(key, ["rules"])}; expected rules`,
        at,
      );
    else
      for (const [name, level, place] of membersOf("rules", rules, at, sink))
        if (!RULE_LEVELS.some((known) => known === level))
          sink.report(
            "config-value",
            `the level of ${name} must be one of ${RULE_LEVELS.join(", ")}; found ${describeValue(level)}`,
            place,
          );
  }
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
