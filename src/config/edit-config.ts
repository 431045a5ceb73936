import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isMap, type Document, type YAMLMap } from "yaml";
import { isObject } from "../diagnostics/json.js";
import {
  parseYaml,
  YamlSyntaxError,
  yamlValue,
} from "../diagnostics/yaml-document.js";

/** Entry of an API in a config, such as `{ source: "drive.json" }`. */
export type ApiEntry = Readonly<Record<string, string>>;

/**
 * Adds an API to the text of a config file. Changes only the lines of the new
 * entry, so comments and formatting are preserved. An existing entry of the API
 * is not changed.
 * @returns undefined if the text can't be changed safely
 */
export function addApi(
  text: string,
  format: "yaml" | "json",
  id: string,
  entry: ApiEntry,
): string | undefined {
  let before: Document;
  let value: unknown;
  try {
    before = parseYaml(text).document;
    value = yamlValue(before) ?? {};
  } catch (error) {
    if (error instanceof YamlSyntaxError) return undefined;
    throw error;
  }
  if (!isObject(value)) return undefined;
  const apis = value["apis"] ?? {};
  if (!isObject(apis)) return undefined;
  if (Object.hasOwn(apis, id)) return text;
  const expected = { ...value, apis: { ...apis, [id]: entry } };
  const candidates = [
    () => insertText(text, before, format, id, entry),
    () => rewrite(text, format, before, expected, id, entry),
  ];
  for (const candidate of candidates) {
    const edited = candidate();
    if (edited !== undefined && hasValue(edited, format, expected))
      return edited;
  }
  return undefined;
}

/** Returns the format of a config file; undefined if it is a program. */
export function configFormat(file: string): "yaml" | "json" | undefined {
  const extension = path.extname(file);
  if (extension === ".json") return "json";
  return /^\.ya?ml$/.test(extension) ? "yaml" : undefined;
}

/** Returns true if the edited text parses to the expected value. */
export function hasValue(
  text: string,
  format: "yaml" | "json",
  expected: unknown,
): boolean {
  try {
    const value: unknown =
      format === "json"
        ? JSON.parse(text)
        : yamlValue(parseYaml(text).document);
    return isDeepStrictEqual(value, expected);
  } catch {
    return false;
  }
}

/**
 * Inserts the entry after the last API, or at the end of a file without APIs.
 * Returns undefined if the structure of the text is not supported.
 */
function insertText(
  text: string,
  document: Document,
  format: "yaml" | "json",
  id: string,
  entry: ApiEntry,
): string | undefined {
  const apis = document.get("apis");
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  if (format === "json")
    return isMap(apis)
      ? insertMember(text, apis, newline, id, entry)
      : undefined;
  if (isMap(apis) && apis.flow !== true)
    return insertBlock(text, apis, newline, id, entry);
  const isFlow = (document.contents as YAMLMap | null)?.flow === true;
  if (isMap(apis) && apis.items.length === 0 && !isFlow)
    return replaceBraces(text, apis, newline, id, entry);
  if (document.has("apis") || (document.contents as YAMLMap)?.flow === true)
    return undefined;
  const start = text === "" || text.endsWith("\n") ? text : `${text}${newline}`;
  return [`${start}apis:`, ...blockLines("  ", id, entry), ""].join(newline);
}

/**
 * Replaces an empty map (`apis: {}`) with a block that contains the new entry.
 */
function replaceBraces(
  text: string,
  apis: YAMLMap,
  newline: string,
  id: string,
  entry: ApiEntry,
): string | undefined {
  const [start, end] = apis.range ?? [];
  if (start === undefined || end === undefined) return undefined;
  const before = text.slice(0, start).trimEnd();
  const [rest = "", ...following] = text.slice(end).split(newline);
  const lines = [before + rest.trimEnd(), ...blockLines("  ", id, entry)];
  return [...lines, ...(following.length > 0 ? following : [""])].join(newline);
}

/** Inserts the new entry after the last entry of a block in YAML. */
function insertBlock(
  text: string,
  apis: YAMLMap,
  newline: string,
  id: string,
  entry: ApiEntry,
): string | undefined {
  const key = apis.items[0]?.key as { range?: readonly number[] } | undefined;
  const first = key?.range?.[0];
  const end = apis.range?.[1];
  if (first === undefined || end === undefined) return undefined;
  const indent = text.slice(text.lastIndexOf("\n", first - 1) + 1, first);
  if (!/^ +$/.test(indent)) return undefined;
  const last = text.slice(0, end).trimEnd().length;
  const next = text.indexOf("\n", last);
  const at = next === -1 ? text.length : next + 1;
  const head = text.slice(0, at);
  const lines = blockLines(indent, id, entry).join(newline) + newline;
  return `${head}${head.endsWith("\n") ? "" : newline}${lines}${text.slice(at)}`;
}

/** Inserts a member at the end of an object in JSON. */
function insertMember(
  text: string,
  apis: YAMLMap,
  newline: string,
  id: string,
  entry: ApiEntry,
): string | undefined {
  const [start, close] = apis.range ?? [];
  if (start === undefined || close === undefined) return undefined;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const outer = /^[ \t]*/.exec(text.slice(lineStart))![0];
  const step = outer === "" ? "  " : outer;
  const brace = close - 1;
  const body = text.slice(start + 1, brace).trimEnd();
  const member = `${JSON.stringify(id)}: ${jsonText(entry)}`;
  const head = `${text.slice(0, start + 1)}${body}${body === "" ? "" : ","}`;
  return `${head}${newline}${outer}${step}${member}${newline}${outer}${text.slice(brace)}`;
}

function blockLines(indent: string, id: string, entry: ApiEntry): string[] {
  const fields = Object.entries(entry);
  const label = `${indent}${JSON.stringify(id)}:`;
  return fields.length === 0
    ? [`${label} {}`]
    : [
        label,
        ...fields.map(
          ([name, value]) => `${indent}  ${name}: ${JSON.stringify(value)}`,
        ),
      ];
}

function jsonText(entry: ApiEntry): string {
  const fields = Object.entries(entry).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/**
 * Adds the new entry and formats the complete config again. Comments in YAML
 * are preserved.
 */
function rewrite(
  text: string,
  format: "yaml" | "json",
  document: Document,
  expected: unknown,
  id: string,
  entry: ApiEntry,
): string {
  if (format === "yaml") {
    if (isMap(document.get("apis"))) document.setIn(["apis", id], entry);
    else document.set("apis", document.createNode({ [id]: entry }));
    return document.toString({ lineWidth: 0 });
  }
  const indent = /^\{\s*\n([ \t]+)/.exec(text)?.[1] ?? "  ";
  return `${JSON.stringify(expected, undefined, indent)}\n`;
}
