import { readFileSync, statSync } from "node:fs";
import { compilePattern } from "../../../generated/runtime/server/routing/pattern.js";
import type { ErrorExtras } from "../../../generated/runtime/server/index.js";
import { ConfigError } from "../service.js";
import { isObject } from "../../diagnostics/json.js";
import { parseYaml, yamlValue } from "../../diagnostics/yaml-document.js";
import { ConfigReader } from "../config-reader.js";

/** Error response that is configured in a script rule. */
export interface RuleError {
  readonly status: number;
  readonly message: string;
  readonly extras: ErrorExtras;
  /**
   * Number of chunks that a stream sends before the error; undefined means 0.
   */
  readonly after: number | undefined;
}

/**
 * Rule of a script. It consists of a condition on requests and of the response
 * to requests that meet this condition.
 */
export interface Rule {
  /**
   * Required role of the last message. If undefined, the condition is tested on
   * the last user message instead of the last message.
   */
  readonly role: string | undefined;
  readonly test: (text: string) => boolean;
  /**
   * Maximum number of times that the rule applies; undefined means no limit.
   */
  readonly times: number | undefined;
  readonly answer: string | undefined;
  readonly refusal: string | undefined;
  readonly toolCalls:
    | readonly { readonly name: string; readonly arguments: string }[]
    | undefined;
  readonly error: RuleError | undefined;
  readonly finish: string | undefined;
  /** Delay in milliseconds before the response. */
  readonly delay: number | undefined;
  /** Delay in milliseconds between the chunks of a stream. */
  readonly chunkDelay: number | undefined;
}

/** Maximum size of a script file in bytes. */
const MAX_SIZE = 4 * 1024 * 1024;

/**
 * Reads the rules of a script from a YAML or JSON file.
 *
 * @param pointer JSON pointer to the file name in the config
 */
export function readScript(file: string, pointer: string): readonly Rule[] {
  let value: unknown;
  try {
    const { size } = statSync(file);
    if (size > MAX_SIZE)
      throw new Error(`the file is larger than ${MAX_SIZE} bytes`);
    value = yamlValue(parseYaml(readFileSync(file, "utf8")).document);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(
      pointer,
      `the file can't be read: ${message.split("\n")[0]}`,
    );
  }
  try {
    return readRules(value, "");
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      pointer,
      `at ${error.pointer} in the script: ${error.message}`,
    );
  }
}

/** Reads the rules from a parsed script. */
export function readRules(value: unknown, pointer: string): readonly Rule[] {
  const script = new ConfigReader(value, pointer, ["rules"]);
  const list = script.list("rules");
  if (list === undefined || list.length === 0)
    throw script.error("rules", "must contain at least one rule");
  return list.map((element, index) =>
    readRule(element, `${pointer}/rules/${index}`),
  );
}

const TIME = { min: 0, max: 600_000 };
const COUNT = { min: 1, max: 1_000_000 };
const RESPONSE_MEMBERS = ["answer", "refusal", "toolCalls", "error"];

function readRule(value: unknown, pointer: string): Rule {
  const rule = new ConfigReader(value, pointer, [
    "when",
    ...RESPONSE_MEMBERS,
    "times",
    "finishReason",
    "delay",
    "chunkDelay",
  ]);
  if (!RESPONSE_MEMBERS.some((name) => rule.has(name)))
    throw new ConfigError(
      pointer,
      `the rule must have at least one of ${RESPONSE_MEMBERS.join(", ")}`,
    );
  return {
    ...readCondition(rule),
    times: rule.integer("times", COUNT),
    answer: optionalText(rule, "answer"),
    refusal: rule.text("refusal"),
    toolCalls: readToolCalls(rule),
    error: readError(rule),
    finish: rule.text("finishReason"),
    delay: rule.integer("delay", TIME),
    chunkDelay: rule.integer("chunkDelay", TIME),
  };
}

/** Reads an optional string, which can be empty. */
function optionalText(reader: ConfigReader, name: string): string | undefined {
  return reader.get(name) === "" ? "" : reader.text(name);
}

function readCondition(rule: ConfigReader): Pick<Rule, "role" | "test"> {
  if (!rule.has("when")) return { role: undefined, test: () => true };
  const known = ["role", "equals", "contains", "pattern"];
  const when = new ConfigReader(
    rule.get("when"),
    rule.pointerOf("when"),
    known,
  );
  const equals = optionalText(when, "equals");
  const contains = when.text("contains");
  const matches = readPattern(when);
  return {
    role: when.text("role"),
    test: (text) =>
      (equals === undefined || text === equals) &&
      (contains === undefined || text.includes(contains)) &&
      (matches === undefined || matches(text)),
  };
}

/**
 * Compiles a pattern. Patterns are matched in linear time, because the matched
 * text comes from callers.
 */
function readPattern(
  when: ConfigReader,
): ((text: string) => boolean) | undefined {
  const pattern = when.text("pattern");
  if (pattern === undefined) return undefined;
  const test = compilePattern(pattern);
  if (test === undefined)
    throw when.error("pattern", "must be a supported regular expression");
  return test;
}

function readToolCalls(rule: ConfigReader): Rule["toolCalls"] {
  return rule.list("toolCalls")?.map((element, index) => {
    const pointer = `${rule.pointerOf("toolCalls")}/${index}`;
    const call = new ConfigReader(element, pointer, ["name", "arguments"]);
    const name = call.text("name");
    if (name === undefined) throw call.error("name", "is required");
    const value = call.get("arguments") ?? {};
    if (typeof value !== "string" && !isObject(value))
      throw call.error(
        "arguments",
        "must be an object, or a string that contains a JSON object",
      );
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return { name, arguments: text };
  });
}

function readError(rule: ConfigReader): RuleError | undefined {
  if (!rule.has("error")) return undefined;
  const error = new ConfigReader(rule.get("error"), rule.pointerOf("error"), [
    "status",
    "message",
    "type",
    "code",
    "param",
    "headers",
    "after",
  ]);
  const message = error.text("message") ?? "The script returned an error.";
  const location = error.text("param");
  return {
    status: error.integer("status", { min: 400, max: 599 }) ?? 500,
    message,
    extras: {
      reason: error.text("type"),
      code: error.text("code"),
      problems: location === undefined ? undefined : [{ message, location }],
      headers: readHeaders(error),
    },
    after: error.integer("after", { min: 0, max: 1_000_000 }),
  };
}

const HEADER = /^(?:retry-after|retry-after-ms|x-[a-z0-9-]+)$/i;

function readHeaders(error: ConfigReader): Record<string, string> {
  const entries = error.entries("headers").map(([name, value]) => {
    const text = String(value);
    if (!HEADER.test(name) || !/^[\x20-\x7e]{0,200}$/.test(text))
      throw error.error(
        "headers",
        "may contain only retry-after, retry-after-ms and names that start with x-",
      );
    return [name.toLowerCase(), text] as const;
  });
  return Object.fromEntries(entries);
}
