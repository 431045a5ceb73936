import { parseBytes } from "../load/parse.js";
import { loadBytes } from "../load/load.js";
import { documentDigest } from "../load/canonical.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { locate } from "../diagnostics/locate.js";
import { Sink } from "../diagnostics/sink.js";
import { isObject } from "../diagnostics/json.js";
import { isRevision, type LockEntry } from "./lock-file.js";
import { RemoteError } from "./http/http-settings.js";
import type { ApiId } from "./directory.js";

/** Fetched document that was checked. */
export interface RemoteDocument extends ApiId {
  readonly url: string;
  readonly revision?: string;
  /** SHA-256 of the canonical text, in hexadecimal. */
  readonly digest: string;
  readonly bytes: Buffer;
  /** Parsed JSON of the document. */
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * Error of the request; present if the request failed and the document was
   * therefore read from the cache.
   */
  readonly failure?: RemoteError;
}

/** Error for a response that is not a usable description document. */
export class DocumentError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics[0]?.message);
    this.name = "DocumentError";
    this.diagnostics = diagnostics;
  }
}

/** Pattern for API names and versions that can be parts of file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Checks a response and parses the document in it.
 *
 * @throws RemoteError if the response is a web page, or if the name or version
 *   of the API can't be part of a file name
 * @throws DocumentError with the findings about an invalid document
 */
export function readRemoteDocument(
  bytes: Buffer,
  url: string,
  contentType = "",
): RemoteDocument {
  refuseWebPage(bytes, url, contentType);
  const { sink, text, document } = loadBytes(bytes, url);
  if (document === undefined)
    throw new DocumentError(
      text === undefined ? sink.diagnostics : locate(sink.diagnostics, text),
    );
  // The digest is computed from the published document. The bytes are parsed
  // again, because loading has converted fields of older format versions in the
  // parsed object.
  const value = parseBytes(bytes, url, new Sink(url))?.value;
  if (!isObject(value)) throw new DocumentError(sink.diagnostics);
  const { name, version, revision } = value;
  return {
    name: checkName("name", name, url),
    version: checkName("version", version, url),
    url,
    ...(isRevision(revision) ? { revision } : {}),
    digest: documentDigest(value),
    bytes,
    value,
  };
}

function refuseWebPage(bytes: Buffer, url: string, contentType: string): void {
  const start = bytes.toString("latin1", 0, 200).trimStart();
  if (!start.startsWith("<")) return;
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? "HTML or XML";
  throw new RemoteError(
    "remote-response",
    `${url}: the response is a web page (${type}), not a description document; it may come from a proxy or be a login page`,
  );
}

function checkName(field: string, value: unknown, url: string): string {
  if (typeof value === "string" && NAME.test(value) && !value.includes(".."))
    return value;
  throw new RemoteError(
    "remote-response",
    `${url}: ${field} must consist of letters, digits, ".", "_" and "-", found ${JSON.stringify(value)?.slice(0, 100)}`,
  );
}

export function entryOf({ url, revision, digest }: RemoteDocument): LockEntry {
  return { url, digest, ...(revision === undefined ? {} : { revision }) };
}
