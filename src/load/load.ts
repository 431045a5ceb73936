import { duplicateKeys } from "../diagnostics/json-text.js";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";
import { TooLargeError } from "../platform/read-limited.js";
import { checkShape } from "./check.js";
import { recogniseDescription } from "./kind.js";
import { parseBytes } from "./parse.js";
import type { RawDocument } from "./raw.js";
import { resolveSchemaIds } from "./resolve-schema-ids.js";
import type { Source } from "./sources.js";
import { cutOff, survey } from "./survey.js";

/** Document that was read and checked, with findings about the document. */
export interface Loaded {
  readonly sink: Sink;
  /**
   * Text of the document, for calculating positions; absent if the bytes can't
   * be decoded.
   */
  readonly text?: string;
  /**
   * Checked document; absent if the input is not a valid description document.
   */
  readonly document?: RawDocument;
}

/** Reads and checks the document of one source. Never throws. */
export function loadSource(source: Source): Loaded {
  const sink = new Sink(source.name);
  const bytes = readBytes(source, sink);
  return bytes === undefined ? { sink } : loadBytes(bytes, source.name, sink);
}

/** Parses and checks the bytes of a document. */
export function loadBytes(
  bytes: Buffer,
  name: string,
  sink: Sink = new Sink(name),
): Loaded {
  const parsed = parseBytes(bytes, name, sink);
  if (parsed === undefined) return { sink };
  const { text } = parsed;
  const value = recogniseDescription(parsed.value, name, sink);
  if (value === undefined) return { sink, text };
  const { keys, depth } = survey(value);
  reportDuplicates(text, keys, sink);
  const isChanged = modernise(value as Record<string, unknown>, sink);
  cutOff(value, isChanged ? survey(value).depth : depth);
  const document = checkShape(value, sink);
  if (document === undefined) return { sink, text };
  resolveSchemaIds(document);
  return { sink, text, document };
}

/** Reads the bytes of a source; reports failures and returns undefined. */
export function readBytes(source: Source, sink: Sink): Buffer | undefined {
  try {
    return source.read();
  } catch (error) {
    if (error instanceof TooLargeError) {
      sink.report(
        "source-too-large",
        `${source.name} is too large: ${error.message}`,
      );
    } else {
      sink.report(
        "source-unreadable",
        `${source.name}: ${(error as Error).message}`,
      );
    }
    return undefined;
  }
}

/** Maximum number of reported duplicates per document. */
const MAX_REPORTS = 20;

/**
 * Reports keys that occur more than once in an object. JSON.parse silently
 * keeps only the last value of such a key, so methods or schemas would be lost.
 * The text is scanned only if its number of keys differs from that of the
 * parsed value.
 * @param keys total number of members in all objects of the parsed value
 */
export function reportDuplicates(text: string, keys: number, sink: Sink): void {
  if (countKeys(text) === keys) return;
  for (const [pointer] of duplicateKeys(text).slice(0, MAX_REPORTS)) {
    const key = pointer.slice(pointer.lastIndexOf("/") + 1);
    sink.report("json-duplicate-key", `the key ${key} occurs twice`, pointer);
  }
}

/**
 * Counts the keys in JSON text by counting the `":` after each key. Quotes
 * inside strings are escaped with a backslash. A key that ends with a backslash
 * or is followed by a space is not counted; the only consequence is an
 * unnecessary scan.
 */
function countKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2))
    if (text[at - 1] !== "\\") count++;
  return count;
}

type Json = Record<string, unknown>;

/**
 * Converts fields of older format versions and reports them: schemas as JSON
 * text, restPath, restBasePath, and baseUrl without rootUrl. Changes the parsed
 * value; must run before the document is checked.
 * @returns true if schemas were parsed from JSON text, so that the nesting
 *   depth of the document must be calculated again
 */
function modernise(document: Json, sink: Sink): boolean {
  const isUnwrapped = unwrapSchemas(document, sink);
  rename(document, "restBasePath", "servicePath", "", sink);
  deriveRoot(document, sink);
  visitMethods(document, "", (method, pointer) =>
    rename(method, "restPath", "path", pointer, sink),
  );
  return isUnwrapped;
}

function unwrapSchemas(document: Json, sink: Sink): boolean {
  let isUnwrapped = false;
  const schemas = asObject(document["schemas"]);
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    if (typeof schema !== "string") continue;
    const pointer = `/schemas/${escapeToken(name)}`;
    try {
      const value = JSON.parse(schema) as unknown;
      // The property is defined instead of assigned, because an assignment to
      // the name `__proto__` would change the prototype.
      Object.defineProperty(schemas, name, { value, enumerable: true });
      isUnwrapped = true;
      sink.report(
        "legacy-shape",
        `schema ${name} must be an object, found a string that contains JSON`,
        pointer,
      );
    } catch {
      sink.report(
        "shape-wrong-type",
        `schema ${name} must be an object, found a string that is not JSON`,
        pointer,
      );
    }
  }
  return isUnwrapped;
}

function rename(
  owner: Json,
  old: string,
  name: string,
  pointer: string,
  sink: Sink,
): void {
  if (typeof owner[old] !== "string" || owner[name] !== undefined) return;
  owner[name] = owner[old];
  sink.report(
    "legacy-shape",
    `${old} must be renamed to ${name}`,
    `${pointer}/${old}`,
  );
}

/**
 * Derives rootUrl and servicePath from baseUrl, which is the only URL in old
 * documents.
 */
function deriveRoot(document: Json, sink: Sink): void {
  const { rootUrl, baseUrl } = document;
  if (
    rootUrl !== undefined ||
    typeof baseUrl !== "string" ||
    !URL.canParse(baseUrl)
  )
    return;
  const url = new URL(baseUrl);
  document["rootUrl"] = `${url.origin}/`;
  document["servicePath"] ??= url.pathname.slice(1);
  sink.report(
    "legacy-shape",
    "rootUrl is missing; the generator derives it from baseUrl",
    "/baseUrl",
  );
}

function visitMethods(
  root: Json,
  rootPointer: string,
  visit: (method: Json, pointer: string) => void,
): void {
  const stack: [owner: Json, pointer: string][] = [[root, rootPointer]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [owner, pointer] = top;
    for (const [name, method] of Object.entries(
      asObject(owner["methods"]) ?? {},
    )) {
      const value = asObject(method);
      if (value !== undefined)
        visit(value, `${pointer}/methods/${escapeToken(name)}`);
    }
    for (const [name, resource] of Object.entries(
      asObject(owner["resources"]) ?? {},
    )) {
      const value = asObject(resource);
      if (value !== undefined)
        stack.push([value, `${pointer}/resources/${escapeToken(name)}`]);
    }
  }
}

function asObject(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined;
}
