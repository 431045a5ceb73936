import { Sink } from "../diagnostics/sink.js";
import { checkShape } from "./check.js";
import { recogniseDescription } from "./kind.js";
import { modernise } from "./legacy.js";
import { parseBytes } from "./parse.js";
import { cutOff, survey } from "./survey.js";
import type { RawDocument } from "./raw.js";
import { TooLargeError } from "../platform/read-limited.js";
import type { Source } from "./sources.js";
import { duplicateKeys } from "../diagnostics/json-text.js";

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
  return document === undefined ? { sink, text } : { sink, text, document };
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
