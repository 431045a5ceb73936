import { withLock } from "../platform/lock.js";
import { clearLeftovers, replaceFile } from "../platform/replace-file.js";
import { refuseStray } from "../platform/output-path.js";
import { readPlainFile } from "../platform/plain-file.js";
import { catalogue } from "../diagnostics/catalogue.js";
import { isObject, printJson } from "../diagnostics/json.js";
import { positionAt } from "../diagnostics/locate.js";
import {
  duplicateKeys,
  findOffsets,
  syntaxErrorIn,
} from "../diagnostics/json-text.js";
import type { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";

/** Entry of the lock file. It pins the document of an API. */
export interface LockEntry {
  /** URL from which the document was fetched. */
  readonly url: string;
  /** Revision of the document; absent if the document declares none. */
  readonly revision?: string;
  /**
   * SHA-256 of the canonical text of the document (load/canonical.ts), in
   * hexadecimal.
   */
  readonly digest: string;
}

/**
 * Tests whether a value is a revision that can safely be printed and stored.
 */
export function isRevision(value: unknown): value is string {
  return typeof value === "string" && /^[\w.:+-]{1,100}$/.test(value);
}

/**
 * Formats a revision for messages: ` (revision 20240131)`; empty if there is no
 * revision.
 */
export function revisionText({ revision }: LockEntry): string {
  return revision === undefined ? "" : ` (revision ${revision})`;
}

/** Tests whether two URLs are equal after normalization. */
export function isSameUrl(a: string, b: string): boolean {
  const normal = (text: string): string => {
    if (!URL.canParse(text)) return text;
    const url = new URL(text);
    url.hash = "";
    return url.href;
  };
  return normal(a) === normal(b);
}

/** Lock entries, keyed by API label, such as `drive:v3`. */
export type Lock = ReadonlyMap<string, LockEntry>;

/** Version of the lock file format. */
const FORMAT = 1;

const LABEL = /^[A-Za-z0-9][\w.-]{0,99}(:[A-Za-z0-9][\w.-]{0,99})?$/;

/** Error in a lock file, with its position. */
class LockError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, text: string, offset: number) {
    super(message);
    ({ line: this.line, column: this.column } = positionAt(text, offset));
  }
}

/**
 * Reads a lock file. Returns an empty map if the file is missing. Reports an
 * error and returns undefined if the file is invalid.
 * @param name path of the file, as shown in messages
 */
export function readLock(
  file: string,
  name: string,
  sink: Sink,
): Lock | undefined {
  return parseReported(() => textOf(file) ?? "{}", name, sink);
}

/**
 * Parses the text of a lock file. Reports an error and returns undefined if the
 * text is invalid.
 * @param name path of the file, as shown in messages
 */
export function readLockText(
  text: string,
  name: string,
  sink: Sink,
): Lock | undefined {
  return parseReported(() => text.replace(/^\ufeff/, ""), name, sink);
}

function parseReported(
  read: () => string,
  name: string,
  sink: Sink,
): Lock | undefined {
  try {
    return parseLock(read());
  } catch (error) {
    const { severity, cause, fix } = catalogue["lock-invalid"];
    const { message } = error as Error;
    sink.diagnostics.push({
      code: "lock-invalid",
      severity,
      message: `${name} can't be used: ${message}`,
      cause,
      fix,
      file: name,
      ...(error instanceof LockError
        ? { line: error.line, column: error.column }
        : {}),
    });
    return undefined;
  }
}

/** Milliseconds that an update waits for other processes. */
const TIMEOUT = 10_000;

/**
 * Adds, replaces and removes entries of a lock file. Reads the file while other
 * processes can't change it, so that their changes to other entries are not lost.
 * Throws file system errors, and LockError if the lock file is invalid.
 * @param changes map from the label of an API to the new entry; undefined to
 * remove the entry
 */
export async function updateLock(
  file: string,
  cwd: string,
  changes: ReadonlyMap<string, LockEntry | undefined>,
): Promise<void> {
  refuseStray(file, cwd);
  // A run that changes nothing needs no write access to the folder.
  if (changedText(file, changes) === undefined) return;
  await withLock(`${file}.lock`, TIMEOUT, () => {
    const text = changedText(file, changes);
    if (text === undefined) return;
    clearLeftovers(file);
    replaceFile(file, text);
  });
}

/** Returns the new text of a lock file; undefined if it does not change. */
function changedText(
  file: string,
  changes: ReadonlyMap<string, LockEntry | undefined>,
): string | undefined {
  const text = textOf(file);
  const entries = new Map(parseLock(text ?? "{}"));
  for (const [label, entry] of changes) {
    if (entry === undefined) entries.delete(label);
    else entries.set(label, entry);
  }
  if (text === undefined && entries.size === 0) return undefined;
  const updated = printLock(entries);
  return text?.replaceAll("\r\n", "\n") === updated ? undefined : updated;
}

/**
 * Formats a lock file. Each API is a separate block of lines, and the blocks
 * are sorted, so that version control can merge changes to different APIs.
 */
export function printLock(lock: Lock): string {
  const sorted = [...lock].sort(([a], [b]) => (a < b ? -1 : 1));
  const apis = sorted.map(([label, { url, revision, digest }]) => [
    label,
    { url, revision, digest: `sha256-${digest}` },
  ]);
  return `${printJson({ lockVersion: FORMAT, apis: Object.fromEntries(apis) })}\n`;
}

/** Returns the text of the file; undefined if the file is missing. */
function textOf(file: string): string | undefined {
  try {
    const bytes = readPlainFile(file);
    if (bytes === undefined)
      throw new Error("the lock file must be a regular file");
    return bytes.toString("utf8").replace(/^\ufeff/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Parses the text of a lock file. Throws LockError if the text is invalid. */
export function parseLock(text: string): Lock {
  const conflict = /^(<{7}|={7}|>{7}|\|{7})/m.exec(text);
  if (conflict !== null)
    throw new LockError(
      "the lock file contains a merge conflict",
      text,
      conflict.index,
    );
  const value = parseJson(text);
  const fail = (pointer: string, message: string): never => {
    const position = findOffsets(text, [pointer]);
    throw new LockError(message, text, position.get(pointer) ?? 0);
  };
  if (!isObject(value)) return fail("", "the lock file must contain an object");
  const { lockVersion, apis } = value;
  if (Object.keys(value).length === 0) return new Map();
  if (lockVersion !== FORMAT)
    fail("/lockVersion", `lockVersion must be ${FORMAT}`);
  if (!isObject(apis)) return fail("/apis", "apis must be an object");
  const [duplicate] = duplicateKeys(text);
  if (duplicate !== undefined)
    throw new LockError(
      "an object contains the same key twice",
      text,
      duplicate[1],
    );
  return new Map(
    Object.entries(apis).map(([label, entry]) => [
      label,
      entryOf(label, entry, fail),
    ]),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const error = syntaxErrorIn(text);
    throw new LockError(
      `the lock file is not JSON: ${error.message}`,
      text,
      error.offset,
    );
  }
}

function entryOf(
  label: string,
  entry: unknown,
  fail: (pointer: string, message: string) => never,
): LockEntry {
  const pointer = `/apis/${escapeToken(label)}`;
  if (!LABEL.test(label) || label.includes(".."))
    return fail(pointer, "the name of an API must have the form name:version");
  if (!isObject(entry)) return fail(pointer, `${label} must be an object`);
  const { url, revision, digest } = entry;
  if (typeof url !== "string" || !URL.canParse(url))
    return fail(`${pointer}/url`, `url of ${label} must be a URL`);
  if (revision !== undefined && !isRevision(revision))
    return fail(`${pointer}/revision`, `revision of ${label} must be a string`);
  const hex = typeof digest === "string" ? DIGEST.exec(digest)?.[1] : undefined;
  if (hex === undefined)
    return fail(
      `${pointer}/digest`,
      `digest of ${label} must be "sha256-" and 64 hexadecimal digits`,
    );
  return { url, digest: hex, ...(revision === undefined ? {} : { revision }) };
}

const DIGEST = /^sha256-([0-9a-f]{64})$/;
