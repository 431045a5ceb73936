// This file is longer than 250 lines, because recording and replaying share the
// format of the files and the comparison of requests.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readFileLimited } from "../platform/read-limited.js";
import { readAll } from "../runtime/server/bodies/read.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { isJsonObject } from "./conform.js";
import { DataError } from "./data.js";
import {
  headersOf,
  isSecretParameter,
  publicPath,
  withoutSecretParameters,
  withoutSecrets,
} from "./secrets.js";

/** Request and response of a real server, as stored in a file. */
interface Recording {
  readonly request: {
    readonly method: string;
    /** Path and query without credentials; parameters are sorted. */
    readonly path: string;
    /**
     * SHA-256 of the body, in which the random texts of multipart bodies are
     * replaced; absent without a body.
     */
    readonly bodyHash?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Body: JSON value, text, or bytes in base64. */
    readonly json?: unknown;
    readonly text?: string;
    readonly base64?: string;
  };
}

/** Maximum size in bytes of a recorded body. */
const MAX_BODY = 64 * 1024 * 1024;

/** Maximum milliseconds that the real server may take. */
const TIMEOUT = 60_000;

/** Maximum number of recordings in a folder. */
const MAX_FILES = 100_000;

/** Request headers that are not forwarded, because they belong to a connection. */
const CONNECTION_HEADERS =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|accept-encoding|proxy-.*)$/i;

/** Response headers that are recorded. */
const RECORDED_HEADERS =
  /^(content-type|etag|last-modified|location|range|content-range|retry-after|link|x-goog-(hash|generation|metageneration|stored-content-length)|x-guploader-uploadid)$/i;

/** Handles requests instead of mocks. */
export interface RequestHandler {
  handle(request: Incoming): Promise<Outgoing>;
}

/**
 * Forwards requests to a real server and stores the responses in a folder,
 * without credentials.
 *
 * @throws DataError if the URL is not valid or the folder can't be used
 */
export function createRecorder(url: string, folder: string): RequestHandler {
  const base = baseOf(url);
  // A file can have been deleted, so the last number counts.
  let count = Number.parseInt(namesIn(folder, true).at(-1) ?? "0", 10);
  return {
    async handle(request) {
      const body = await readBody(request);
      let outgoing: Outgoing;
      try {
        outgoing = await forward(base, request, body);
      } catch (error) {
        return failure(
          502,
          `The server of --record did not respond: ${(error as Error).message}`,
        );
      }
      const recording = recordingOf(request, body, outgoing);
      const name = `${String(++count).padStart(6, "0")}.json`;
      writeFileSync(
        path.join(folder, name),
        `${JSON.stringify(recording, undefined, 2)}\n`,
        { mode: 0o600 },
      );
      return outgoing;
    },
  };
}

/**
 * Serves recorded responses. Equal requests receive their responses in the order
 * of the recording; the last one is repeated.
 *
 * @throws DataError if the folder contains no recordings
 */
export function createReplayer(folder: string): RequestHandler {
  const recordings = new Map<string, Recording[]>();
  for (const name of namesIn(folder, false)) {
    const recording = readRecording(path.join(folder, name));
    const key = JSON.stringify(keyOf(recording.request));
    recordings.set(key, [...(recordings.get(key) ?? []), recording]);
  }
  if (recordings.size === 0)
    throw new DataError(`${folder} contains no recordings`);
  return {
    async handle(request) {
      const body = await readBody(request);
      const wanted = requestOf(request, body);
      const list = recordings.get(JSON.stringify(keyOf(wanted)));
      if (list === undefined)
        return failure(
          404,
          `No recording has ${wanted.method} ${wanted.path}${wanted.bodyHash === undefined ? "" : " with this body"}.`,
        );
      const { response } = list.length > 1 ? list.shift()! : list[0]!;
      return outgoingOf(response, request.origin);
    },
  };
}

function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base !== undefined && /^https?:$/.test(base.protocol)) return base;
  throw new DataError(
    `the URL of a server must start with http:// or https://, not ${JSON.stringify(url.slice(0, 200))}`,
  );
}

function namesIn(folder: string, isCreated: boolean): string[] {
  try {
    if (isCreated) mkdirSync(folder, { recursive: true });
    const names = readdirSync(folder).filter((name) =>
      /^\d+\.json$/.test(name),
    );
    if (names.length <= MAX_FILES) return names.sort();
  } catch (error) {
    throw new DataError(`${folder}: ${(error as Error).message}`);
  }
  throw new DataError(`${folder} must contain at most ${MAX_FILES} recordings`);
}

function readRecording(file: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(readFileLimited(file).toString());
  } catch (error) {
    throw new DataError(`${file}: ${(error as Error).message}`);
  }
  const { request, response } = Object(value) as Partial<Recording>;
  const isValid =
    typeof request?.method === "string" &&
    typeof request.path === "string" &&
    Number.isInteger(response?.status) &&
    isJsonObject(response?.headers);
  if (isValid) return value as Recording;
  throw new DataError(`${file} must contain a recorded request and response`);
}

async function readBody(request: Incoming): Promise<Uint8Array> {
  return request.method === "GET" || request.method === "HEAD"
    ? new Uint8Array()
    : readAll(request.chunks(), MAX_BODY);
}

async function forward(
  base: URL,
  request: Incoming,
  body: Uint8Array,
): Promise<Outgoing> {
  const headers = forwardedHeaders(request.raw);
  const root = rootOf(base);
  const response = await fetch(root + request.target, {
    method: request.method,
    headers,
    redirect: "manual",
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT)]),
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  const bytes =
    response.body === null
      ? new Uint8Array()
      : await readAll(response.body, MAX_BODY);
  const kept = [...response.headers]
    .filter(([name]) => RECORDED_HEADERS.test(name))
    .map(([name, value]) => [name, value.replaceAll(root, request.origin)]);
  const received = Object.fromEntries(kept) as Record<string, string>;
  return {
    status: response.status,
    headers: received,
    body: isJson(received["content-type"])
      ? Buffer.from(withLinksTo(request.origin, bytes, root))
      : bytes,
  };
}

/** URL of the real server without a final slash. */
function rootOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/$/, "");
}

function isJson(type: string = ""): boolean {
  return /^application\/([\w.+-]+\+)?json\b/.test(type);
}

/**
 * Replaces the start of all texts in JSON that are links below a root. The JSON is
 * not parsed, because that would change large numbers.
 */
function withLinksTo(
  origin: string,
  json: Uint8Array | string,
  root: string,
): string {
  const text = typeof json === "string" ? json : Buffer.from(json).toString();
  return ["/", "?", '"'].reduce(
    (changed, end) => changed.replaceAll(`"${root}${end}`, `"${origin}${end}`),
    text,
  );
}

function forwardedHeaders(raw: unknown): Record<string, string> {
  return Object.fromEntries(
    headersOf(raw).filter(([name]) => !CONNECTION_HEADERS.test(name)),
  );
}

/** Text in stored headers that is replaced with the origin of the caller. */
const ORIGIN = "{origin}";

function recordingOf(
  request: Incoming,
  body: Uint8Array,
  { status, headers, body: bytes }: Outgoing,
): Recording {
  const stored = Object.entries(headers).map(([name, value]) => [
    name,
    name === "location" || name === "link"
      ? withoutSecretParameters(value.replaceAll(request.origin, ORIGIN))
      : value,
  ]);
  return {
    request: requestOf(request, body),
    response: {
      status,
      headers: Object.fromEntries(stored) as Record<string, string>,
      ...storedBody(
        headers["content-type"] ?? "",
        bytes as Uint8Array,
        request.origin,
      ),
    },
  };
}

function storedBody(
  type: string,
  bytes: Uint8Array,
  origin: string,
): Pick<Recording["response"], "json" | "text" | "base64"> {
  if (bytes.length === 0) return {};
  const text = Buffer.from(bytes).toString();
  if (isJson(type)) {
    try {
      const linked = withLinksTo(ORIGIN, text, origin);
      const json: unknown = JSON.parse(linked, (_, value: unknown) =>
        typeof value === "string" ? withoutSecretParameters(value) : value,
      );
      return { json: withoutSecrets(json) };
    } catch {
      // A body that is not JSON is stored as bytes.
    }
  }
  return type.startsWith("text/")
    ? { text }
    : { base64: Buffer.from(bytes).toString("base64") };
}

function outgoingOf(
  { status, headers, json, text, base64 }: Recording["response"],
  origin: string,
): Outgoing {
  const body =
    json !== undefined
      ? withLinksTo(origin, JSON.stringify(json), ORIGIN)
      : base64 !== undefined
        ? Buffer.from(base64, "base64")
        : text;
  const replaced = Object.entries(headers).map(([name, value]) => [
    name,
    String(value).replaceAll(ORIGIN, origin),
  ]);
  return {
    status,
    headers: Object.fromEntries(replaced) as Record<string, string>,
    ...(body === undefined ? {} : { body }),
  };
}

function requestOf(request: Incoming, body: Uint8Array): Recording["request"] {
  const type = request.header("content-type") ?? "";
  const hash = createHash("sha256").update(comparable(body, type));
  return {
    method: request.method,
    path: sortedPath(request.target),
    ...(body.length === 0 ? {} : { bodyHash: hash.digest("hex") }),
  };
}

/**
 * Replaces the texts of a multipart body that clients choose at random: boundaries,
 * and ids of the calls of a batch.
 */
function comparable(body: Uint8Array, type: string): Uint8Array {
  const boundary = /^multipart\/.*\bboundary="?([^";]+)/is.exec(type)?.[1];
  if (boundary === undefined) return body;
  const text = Buffer.from(body)
    .toString("latin1")
    .replaceAll(boundary, "boundary")
    .replace(/^content-id:[^\r\n]*/gim, "content-id:");
  return Buffer.from(text, "latin1");
}

/**
 * Members by which a request is compared with recorded ones. Credentials are not
 * compared.
 */
function keyOf({ method, path, bodyHash }: Recording["request"]): unknown[] {
  const [start, query = ""] = path.split(/\?(.*)/s, 2);
  const pairs = query
    .split("&")
    .filter((pair) => !isSecretParameter(pair.split("=", 1)[0]!));
  return [method, start, pairs.join("&"), bodyHash ?? ""];
}

function sortedPath(target: string): string {
  const [path = "/", query] = publicPath(target).split(/\?(.*)/s, 2);
  return query === undefined
    ? path
    : `${path}?${query.split("&").sort().join("&")}`;
}

function failure(code: number, message: string): Outgoing {
  return {
    status: code,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify({ error: { code, message } })}\n`,
  };
}
