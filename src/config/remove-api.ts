import { applyEdits, modify, type JSONPath } from "jsonc-parser";
import { isMap, isSeq, type Node } from "yaml";
import { isObject } from "../diagnostics/json.js";
import {
  parseYaml,
  YamlSyntaxError,
  yamlValue,
} from "../diagnostics/yaml-document.js";
import { hasValue } from "./edit-config.js";

/**
 * Removes an API from the text of a config file: its entry in `apis`, and its
 * names and entries in jobs. Comments outside of these entries are preserved.
 * @returns undefined if the text can't be changed safely
 */
export function removeApi(
  text: string,
  format: "yaml" | "json",
  id: string,
): string | undefined {
  let value: unknown;
  try {
    value = yamlValue(parseYaml(text).document);
  } catch (error) {
    if (error instanceof YamlSyntaxError) return undefined;
    throw error;
  }
  const paths = pathsOf(value, id);
  const expected = withoutPaths(value, paths);
  const candidates =
    format === "json"
      ? [() => fromJson(text, paths)]
      : [() => fromText(text, paths), () => fromDocument(text, paths)];
  for (const candidate of candidates) {
    const edited = candidate();
    if (edited !== undefined && hasValue(edited, format, expected))
      return edited;
  }
  return undefined;
}

/** Returns the paths of an API in a config, last ones first. */
function pathsOf(value: unknown, id: string): readonly JSONPath[] {
  if (!isObject(value)) return [];
  const paths: JSONPath[] = [];
  const visit = (apis: unknown, at: JSONPath): void => {
    if (Array.isArray(apis)) {
      for (const [index, name] of apis.entries())
        if (name === id) paths.unshift([...at, index]);
    } else if (isObject(apis) && Object.hasOwn(apis, id))
      paths.unshift([...at, id]);
  };
  visit(value["apis"], ["apis"]);
  const jobs = Array.isArray(value["jobs"]) ? value["jobs"] : [];
  for (const [index, job] of jobs.entries())
    if (isObject(job)) visit(job["apis"], ["jobs", index, "apis"]);
  return paths;
}

function withoutPaths(value: unknown, paths: readonly JSONPath[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    const last = path.at(-1)!;
    let parent = copy as Record<string | number, unknown>;
    for (const key of path.slice(0, -1))
      parent = parent[key] as Record<string | number, unknown>;
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
  }
  return copy;
}

function fromJson(text: string, paths: readonly JSONPath[]): string {
  const [, indent = "  "] = /^\{\s*\n([ \t]+)/.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return paths.reduce((json, path) => {
    // Formatting would break a list of names into lines.
    const isName = typeof path.at(-1) === "number";
    const options = isName ? {} : { formattingOptions };
    return applyEdits(json, modify(json, path, undefined, options));
  }, text);
}

/**
 * Deletes the lines of entries of block collections. Returns undefined for other
 * layouts.
 */
function fromText(
  text: string,
  paths: readonly JSONPath[],
): string | undefined {
  let edited: string | undefined = text;
  for (const path of paths)
    edited = edited === undefined ? undefined : withoutLines(edited, path);
  return edited;
}

function withoutLines(text: string, path: JSONPath): string | undefined {
  const { document } = parseYaml(text);
  const parent = document.getIn(path.slice(0, -1), true);
  const key = path.at(-1)!;
  if (!(isMap(parent) || isSeq(parent)) || parent.flow === true)
    return undefined;
  const index = isMap(parent)
    ? parent.items.findIndex((pair) => String(pair.key) === key)
    : Number(key);
  const item = parent.items[index];
  const [from, value] =
    item !== undefined && isMap(parent)
      ? [(item as { key: Node }).key, (item as { value: Node | null }).value]
      : [item as Node, item as Node];
  const start = from?.range?.[0];
  const end = (value ?? from)?.range?.[1];
  if (start === undefined || end === undefined) return undefined;
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.slice(0, end).trimEnd().length;
  const next = text.indexOf("\n", last);
  const before = text.slice(0, first);
  const after = next === -1 ? "" : text.slice(next + 1);
  if (parent.items.length > 1) return before + after;
  // An empty block collection would be null, so it follows the key in the line before.
  const line = before.lastIndexOf("\n", before.length - 2) + 1;
  const [code = ""] = before.slice(line).split("#", 1);
  const owner = code.trimEnd();
  return owner.endsWith(":")
    ? `${before.slice(0, line)}${owner} ${isMap(parent) ? "{}" : "[]"}${before.slice(line + owner.length)}${after}`
    : undefined;
}

/** Removes entries and formats the complete config again. */
function fromDocument(
  text: string,
  paths: readonly JSONPath[],
): string | undefined {
  const { document } = parseYaml(text);
  for (const path of paths) document.deleteIn(path);
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    // Another entry refers to an anchor of the removed one.
    return undefined;
  }
}
