import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { modifiedTime } from "../platform/modified-time.js";
import { isObject } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";
import { CACHE_FILE, replaceFile } from "../platform/replace-file.js";
import { userFolder } from "../platform/user-folder.js";
import type { Validators } from "./http/fetch-url.js";

/**
 * Maximum number of cached responses. The least recently written responses are
 * removed.
 */
const MAX_RESPONSES = 1000;

/** Age in milliseconds after which a temporary file is removed. */
const MAX_TEMPORARY_AGE = 60 * 60_000;

/** Cached HTTP response. */
export interface CachedResponse extends Validators {
  readonly bytes: Buffer;
}

/**
 * Cache of HTTP responses in the user's cache folder. A body is stored under
 * the hash of its bytes, and an entry for each URL contains this hash. The hash
 * is verified whenever a body is read, so an incomplete or modified file counts
 * as missing. Errors are ignored, because without a cache everything is
 * requested again.
 */
export class DocumentCache {
  readonly #project: string;
  readonly #folder: string | undefined;

  /**
   * @param project folder of the project; a cache inside it is not used,
   *   because a repository could contain forged responses
   */
  constructor(project: string) {
    this.#project = project;
    const folder = userFolder(project, false);
    this.#folder =
      folder === undefined ? undefined : path.join(folder, "documents");
  }

  read(url: string): CachedResponse | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      const text = readPlainFile(path.join(this.#folder, entryName(url)));
      const entry = JSON.parse(text?.toString() ?? "") as unknown;
      if (!isObject(entry) || entry["format"] !== 1 || entry["url"] !== url)
        return undefined;
      const { hash } = entry;
      if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash))
        return undefined;
      const bytes = readPlainFile(path.join(this.#folder, `${hash}.body`));
      return bytes !== undefined && sha256(bytes) === hash
        ? { bytes, ...validatorsOf(entry) }
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores a response, which must be complete and valid. */
  write(url: string, bytes: Buffer, validators: Validators): void {
    try {
      const folder = userFolder(this.#project, true);
      if (folder === undefined) return;
      const documents = path.join(folder, "documents");
      mkdirSync(documents, { recursive: true, mode: 0o700 });
      const hash = sha256(bytes);
      const { etag, lastModified } = validators;
      const entry = JSON.stringify({
        format: 1,
        url,
        hash,
        etag,
        lastModified,
      });
      replaceFile(path.join(documents, `${hash}.body`), bytes, CACHE_FILE);
      replaceFile(path.join(documents, entryName(url)), entry, CACHE_FILE);
      removeOldest(documents);
    } catch {
      // If the entry was not written, the next run requests the document again.
    }
  }
}

function entryName(url: string): string {
  return `${sha256(Buffer.from(url))}.json`;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Returns the ETag and the date of a cache entry, if they are valid header
 * values.
 */
function validatorsOf(entry: Readonly<Record<string, unknown>>): Validators {
  const { etag, lastModified } = entry;
  return {
    ...(typeof etag === "string" && isHeaderText(etag) ? { etag } : {}),
    ...(typeof lastModified === "string" && isHeaderText(lastModified)
      ? { lastModified }
      : {}),
  };
}

function isHeaderText(text: string): boolean {
  return text.length <= 1000 && /^[\x20-\x7e\x80-\xff]+$/.test(text);
}

/** Removes the oldest responses, and temporary files of killed processes. */
function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, time: modifiedTime(file) }))
    .sort((a, b) => b.time - a.time);
  const expiry = Date.now() - MAX_TEMPORARY_AGE;
  const isOld = ({ file, time }: { file: string; time: number }): boolean =>
    file.endsWith(".tmp") && time < expiry;
  // Each response consists of two files: the entry and the body.
  const excess =
    files.length > 2 * MAX_RESPONSES ? MAX_RESPONSES : files.length;
  for (const { file } of [...files.filter(isOld), ...files.slice(excess)])
    rmSync(file, { force: true });
}
