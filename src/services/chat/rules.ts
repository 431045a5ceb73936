import { readFileSync, statSync } from "node:fs";
import { parse } from "yaml";
import { compilePattern } from "../../../generated/runtime/server/routing/pattern.js";
import type { ErrorExtras } from "../../../generated/runtime/server/index.js";
import { ConfigError } from "../service.js";
import { isObject } from "../../diagnostics/json.js";
import { Place } from "./config-reader.js";

/** An error that a rule answers with. */
export interface RuleError {
  readonly status: number;
  readonly message: string;
  readonly extras: ErrorExtras;
  /** Chunks of a stream before it; without it the answer is the error. */
  readonly after: number | undefined;
}

/** A rule of a script: for which requests, and what is answered. */
export interface Rule {
  /** Role that the last message must have; without it the last user message is looked at. */
  readonly role: string | undefined;
  readonly test: (text: string) => boolean;
  /** How often it fits; without it always. */
  readonly times: number | undefined;
  readonly answer: string | undefined;
  readonly refusal: string | undefined;
  readonly toolCalls:
    | readonly { readonly name: string; readonly arguments: string }[]
    | undefined;
  readonly error: RuleError | undefined;
  readonly finish: string | undefined;
  /** Milliseconds before the answer, and between chunks of a stream. */
  readonly delay: number | undefined;
  readonly chunkDelay: number | undefined;
}

/** Bytes of a script's file. */
const MAX_SIZE = 4 * 1024 * 1024;

/**
 * The rules of a script in a file, YAML or JSON.
 *
 * @param pointer of the file's name in the config
 */
export function readScript(file: string, pointer: string): readonly Rule[] {
  let value: unknown;
  try {
    const { size } = statSync(file);
    if (size > MAX_SIZE) throw new Error(`it is longer than ${MAX_SIZE} bytes`);
    value = parse(readFileSync(file, "utf8"));
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
      `at ${error.pointer} of the script: ${error.message}`,
    );
  }
}

/** Rules as they stand in a script. */
export function readRules(value: unknown, pointer: string): readonly Rule[] {
  const script = new Place(value, pointer, ["rules"]);
  const list = script.list("rules");
  if (list === undefined || list.length === 0)
    throw script.wrong("rules", "needs at least one rule");
  return list.map((one, index) => readRule(one, `${pointer}/rules/${index}`));
}

const TIME = { min: 0, max: 600_000 };
const COUNT = { min: 1, max: 1_000_000 };
const ANSWERS = ["answer", "refusal", "toolCalls", "error"];

function readRule(value: unknown, pointer: string): Rule {
  const rule = new Place(value, pointer, [
    "when",
    ...ANSWERS,
    "times",
    "finishReason",
    "delay",
    "chunkDelay",
  ]);
  if (!ANSWERS.some((name) => rule.has(name)))
    throw new ConfigError(
      pointer,
      `the rule needs one of ${ANSWERS.join(", ")}`,
    );
  return {
    ...readCondition(rule),
    times: rule.whole("times", COUNT),
    answer: anyText(rule, "answer"),
    refusal: rule.text("refusal"),
    toolCalls: readToolCalls(rule),
    error: readError(rule),
    finish: rule.text("finishReason"),
    delay: rule.whole("delay", TIME),
    chunkDelay: rule.whole("chunkDelay", TIME),
  };
}

/** A text that may be empty. */
function anyText(place: Place, name: string): string | undefined {
  return place.get(name) === "" ? "" : place.text(name);
}

function readCondition(rule: Place): Pick<Rule, "role" | "test"> {
  if (!rule.has("when")) return { role: undefined, test: () => true };
  const known = ["role", "equals", "contains", "pattern"];
  const when = new Place(rule.get("when"), rule.at("when"), known);
  const equals = anyText(when, "equals");
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

/** A pattern, run in linear time, as the text to be tested comes from callers. */
function readPattern(when: Place): ((text: string) => boolean) | undefined {
  const pattern = when.text("pattern");
  if (pattern === undefined) return undefined;
  const test = compilePattern(pattern);
  if (test === undefined)
    throw when.wrong("pattern", "is no pattern that is understood");
  return test;
}

function readToolCalls(rule: Place): Rule["toolCalls"] {
  return rule.list("toolCalls")?.map((one, index) => {
    const pointer = `${rule.at("toolCalls")}/${index}`;
    const call = new Place(one, pointer, ["name", "arguments"]);
    const name = call.text("name");
    if (name === undefined) throw call.wrong("name", "is missing");
    const given = call.get("arguments") ?? {};
    if (typeof given !== "string" && !isObject(given))
      throw call.wrong("arguments", "must be an object, or its text");
    const text = typeof given === "string" ? given : JSON.stringify(given);
    return { name, arguments: text };
  });
}

function readError(rule: Place): RuleError | undefined {
  if (!rule.has("error")) return undefined;
  const error = new Place(rule.get("error"), rule.at("error"), [
    "status",
    "message",
    "type",
    "code",
    "param",
    "headers",
    "after",
  ]);
  const message = error.text("message") ?? "The script says so.";
  const location = error.text("param");
  return {
    status: error.whole("status", { min: 400, max: 599 }) ?? 500,
    message,
    extras: {
      reason: error.text("type"),
      code: error.text("code"),
      problems: location === undefined ? undefined : [{ message, location }],
      headers: readHeaders(error),
    },
    after: error.whole("after", { min: 0, max: 1_000_000 }),
  };
}

const HEADER = /^(?:retry-after|retry-after-ms|x-[a-z0-9-]+)$/i;

function readHeaders(error: Place): Record<string, string> {
  const entries = error.entries("headers").map(([name, value]) => {
    const text = String(value);
    if (!HEADER.test(name) || !/^[\x20-\x7e]{0,200}$/.test(text))
      throw error.wrong(
        "headers",
        "may hold retry-after, retry-after-ms and names that start with x-",
      );
    return [name.toLowerCase(), text] as const;
  });
  return Object.fromEntries(entries);
}
