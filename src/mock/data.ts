// This file is longer than 250 lines, because it reads data and contains all
// rules by which a list is assigned to a collection.

import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { suggestion } from "../diagnostics/closest.js";
import type { Method } from "../model/ir.js";
import { readFileLimited } from "../platform/read-limited.js";
import { isJsonObject } from "./conform.js";
import type { MethodRole, ResourceType } from "./method-role.js";
import type { JsonObject } from "./values.js";

/**
 * Resources, keyed by collection: the name of the resource in the document
 * (`files`), or the path of the collection (`projects/p/topics`). The value is
 * the list of resources, or the resource itself if it is a singleton.
 */
export type MockData = Readonly<Record<string, unknown>>;

/** Error in data, whose message names the list or file at fault. */
export class DataError extends Error {}

/** Maximum number of files in a folder of data. */
const MAX_FILES = 10_000;

/**
 * Reads data from a JSON file, or from a folder with a file for each collection.
 * The key of a collection is the path of its file without `.json`.
 *
 * @throws DataError
 */
export function readData(source: string, cwd: string): MockData {
  const absolute = path.resolve(cwd, source);
  try {
    return statSync(absolute).isDirectory()
      ? readFolder(absolute)
      : objectOf(readJson(absolute), source);
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`${source}: ${(error as Error).message}`);
  }
}

function readFolder(folder: string): MockData {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath, entry.name))
        .replaceAll(path.sep, "/"),
    )
    .sort();
  if (names.length === 0)
    throw new DataError(
      `${folder} contains no JSON file; expected a file for each collection, such as files.json`,
    );
  if (names.length > MAX_FILES)
    throw new DataError(
      `${folder} must contain at most ${MAX_FILES} JSON files, not ${names.length}`,
    );
  return Object.fromEntries(
    names.map((name) => [
      name.slice(0, -".json".length),
      readJson(path.join(folder, name)),
    ]),
  );
}

function readJson(file: string): unknown {
  const text = readFileLimited(file).toString();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new DataError(`${file}: ${(error as Error).message}`);
  }
}

function objectOf(value: unknown, name: string): MockData {
  if (isJsonObject(value)) return value;
  throw new DataError(`${name} must contain a JSON object`);
}

/**
 * Returns the part of the data that belongs to one of several APIs: the member
 * with the name of the API, or the keys below it (`drive/files`).
 */
export function dataOfApi(
  data: MockData,
  name: string,
  version: string,
): MockData {
  for (const key of [`${name}:${version}`, `${name}.${version}`, name]) {
    if (Object.hasOwn(data, key)) return objectOf(data[key], key);
    const below = Object.entries(data).filter(([path]) =>
      path.startsWith(`${key}/`),
    );
    if (below.length > 0)
      return Object.fromEntries(
        below.map(([path, list]) => [path.slice(key.length + 1), list]),
      );
  }
  return {};
}

/**
 * Checks that each key of data or handlers for several APIs names one of them.
 *
 * @throws DataError for the first other key
 */
export function checkApiNames(
  data: Readonly<Record<string, unknown>>,
  apis: readonly { readonly name: string; readonly version: string }[],
): void {
  const known = apis.flatMap(({ name, version }) => [
    name,
    `${name}:${version}`,
    `${name}.${version}`,
  ]);
  for (const key of Object.keys(data)) {
    const [start = ""] = key.split("/", 1);
    if (known.includes(start)) continue;
    const names = apis.map(({ name, version }) => `${name}:${version}`);
    throw new DataError(
      `${JSON.stringify(key.slice(0, 200))} must be the name of an API${suggestion(start, known)}; with several APIs, data and handlers are below the name of their API: ${names.slice(0, 10).join(", ")}`,
    );
  }
}

/** Resource of the data, with its type and collection. */
export interface PlacedResource {
  readonly resourceType: ResourceType;
  readonly collection: string;
  readonly value: JsonObject;
}

/** Finds the resource type and the collection of each list of the data. */
export class DataPlacer {
  readonly #targets: readonly Target[];

  constructor(roles: ReadonlyMap<Method, MethodRole>, apiName: string) {
    this.#targets = targetsOf(roles, apiName);
  }

  /** @throws DataError if the collection of a list can't be determined */
  place(key: string, list: unknown): PlacedResource[] {
    const { resourceType, collection, variables } = this.#find(key);
    if (resourceType.isSingleton) {
      const path = collection ?? fixedPattern(resourceType, key);
      return [{ resourceType, collection: path, value: objectOf(list, key) }];
    }
    if (!Array.isArray(list))
      throw new DataError(`${key} must be a list of resources`);
    return list.map((item: unknown, index) => {
      const value = objectOf(item, `${key}[${index}]`);
      const found = collection ?? collectionOf(value, resourceType, variables);
      if (found !== undefined)
        return { resourceType, collection: found, value };
      throw new DataError(
        `${key}[${index}] does not contain the parent of the resource; use the path of the collection as the key, such as ${JSON.stringify(examplePath(resourceType, variables))}`,
      );
    });
  }

  /** Returns the type of a collection whose path is known. */
  typeOf(collection: string): ResourceType | undefined {
    return this.#targets.find(({ resourceType }) =>
      matchesPattern(resourceType.pattern, collection),
    )?.resourceType;
  }

  /** Collections to which a key without a parent applies. */
  fixedCollection(key: string): string | undefined {
    const { resourceType, collection } = this.#find(key);
    return collection ?? withoutVariables(resourceType.pattern);
  }

  #find(key: string): Target & { readonly collection?: string } {
    const byName = this.#targets.find(({ names }) => names.includes(key));
    if (byName !== undefined) return byName;
    for (const target of this.#targets) {
      const { pattern } = target.resourceType;
      if (matchesPattern(pattern, key)) return { ...target, collection: key };
      const version = /^(v\d\w*)\//.exec(pattern)?.[1];
      const full = `${version}/${key}`;
      if (version !== undefined && matchesPattern(pattern, full))
        return { ...target, collection: full };
    }
    const names = this.#targets.flatMap(({ names }) => names.slice(-1));
    throw new DataError(
      `${JSON.stringify(key.slice(0, 200))} must be the name or the path of a collection${suggestion(key, names)}, such as ${[...new Set(names)].slice(0, 10).join(", ") || "(this API has no collections)"}`,
    );
  }
}

/** Resource type, and the keys by which data can refer to it. */
interface Target {
  readonly resourceType: ResourceType;
  /** Path of the resource in the document, and its parts from the end. */
  readonly names: readonly string[];
  /** Names of the variables of the pattern. */
  readonly variables: readonly string[];
}

function targetsOf(
  roles: ReadonlyMap<Method, MethodRole>,
  apiName: string,
): Target[] {
  const targets = new Map<ResourceType, Target>();
  for (const [method, { resourceType, kind, pairName }] of roles) {
    const isRead = kind === "get" && pairName === undefined;
    if (targets.has(resourceType) && !isRead) continue;
    const path = method.id.replace(`${apiName}.`, "").split(".").slice(0, -1);
    const names = path.flatMap((_, index) => [
      path.slice(index).join("."),
      path.slice(index).join("/"),
    ]);
    const variables = method.tokens.flatMap((token) =>
      "name" in token ? [token.name] : [],
    );
    const own = resourceType.isSingleton ? variables : variables.slice(0, -1);
    targets.set(resourceType, {
      resourceType,
      names: pairName === undefined ? [...new Set(names)] : [],
      variables: kind === "get" ? own : [],
    });
  }
  return [...targets.values()];
}

/**
 * Tests whether a path has the segments of a pattern; a segment with `*` matches
 * every segment.
 */
function matchesPattern(pattern: string, path: string): boolean {
  const segments = path.split("/");
  const expected = pattern.split("/");
  return (
    segments.length === expected.length &&
    expected.every((segment, index) =>
      segment.includes("*")
        ? segments[index] !== ""
        : segment === segments[index],
    )
  );
}

function withoutVariables(pattern: string): string | undefined {
  return pattern.includes("*") ? undefined : pattern;
}

function fixedPattern({ pattern }: ResourceType, key: string): string {
  const fixed = withoutVariables(pattern);
  if (fixed !== undefined) return fixed;
  throw new DataError(
    `${key} must be the path of the resource, such as ${JSON.stringify(pattern)}`,
  );
}

/**
 * Returns the collection of a resource from its full name, or from members with
 * the names of the variables.
 */
function collectionOf(
  value: JsonObject,
  { pattern, prefix }: ResourceType,
  variables: readonly string[],
): string | undefined {
  const fixed = withoutVariables(pattern);
  if (fixed !== undefined) return fixed;
  if (prefix !== undefined) {
    const name = value["name"] ?? value["resourceName"];
    const parent = typeof name === "string" ? name.replace(/\/[^/]*$/, "") : "";
    const collection = `${prefix}${parent}`;
    return matchesPattern(pattern, collection) ? collection : undefined;
  }
  const texts = variables.map((variable) => memberText(value, variable));
  if (texts.length !== pattern.split("*").length - 1) return undefined;
  if (texts.includes(undefined)) return undefined;
  let index = 0;
  return pattern.replace(/\*/g, () => encodeURIComponent(texts[index++]!));
}

/** Returns a text member of an object, or of an object within it. */
function memberText(value: JsonObject, name: string): string | undefined {
  const objects = [value, ...Object.values(value).filter(isJsonObject)];
  const found = objects.map((object) => object[name]);
  return found.find((text) => typeof text === "string" && text !== "") as
    string | undefined;
}

function examplePath(
  { pattern }: ResourceType,
  variables: readonly string[],
): string {
  let index = 0;
  return pattern.replace(/\*/g, () => `{${variables[index++] ?? "id"}}`);
}
