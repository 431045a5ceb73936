/* eslint-disable */
// biome-ignore-all lint: generated

import { bodySettings, readBody } from "../bodies/json-body.js";
import { parseContentRange, type UploadRange } from "./content-range.js";
import { ApiError } from "../error.js";
import { OCTET_STREAM, checkMediaType, createMedia } from "../bodies/media.js";
import { urlOf, type Incoming, type Outgoing } from "../request.js";
import type {
  StoredResponse,
  UploadSession,
  UploadState,
  UploadStore,
} from "./contract.js";
import { checkUploadSize, uploadNotFound } from "./errors.js";
import { memoryUploads } from "./memory-uploads.js";
import { decodedChunks } from "../bodies/timeouts.js";
import type { UploadContext } from "../contract.js";

/**
 * Uploads to which a request is currently writing, keyed by upload ID.
 * `isRemoved` is true if another request has removed the upload.
 */
const activeWriters = new Map<string, { isRemoved: boolean }>();

/**
 * Default upload stores of servers without the option `uploads`, keyed by the
 * server's options object.
 */
const stores = new WeakMap<object, UploadStore>();

function storeOf({ options }: UploadContext): UploadStore {
  const existing = options.uploads ?? stores.get(options);
  if (existing !== undefined) return existing;
  const store = memoryUploads();
  stores.set(options, store);
  return store;
}

/** Names of the headers that describe the content in the first request. */
interface ContentHeaders {
  readonly type: string;
  readonly length: string;
}

/** Headers of uploads whose later requests have the header `Content-Range`. */
export const CONTENT_HEADERS: ContentHeaders = {
  type: "x-upload-content-type",
  length: "x-upload-content-length",
};

/**
 * Headers of uploads whose later requests have the header
 * `X-Goog-Upload-Command`.
 */
export const GOOG_CONTENT_HEADERS: ContentHeaders = {
  type: "x-goog-upload-header-content-type",
  length: "x-goog-upload-header-content-length",
};

/**
 * Size in bytes of which the chunks of an upload should be multiples. The
 * server accepts chunks of any size.
 */
const GRANULARITY = 256 * 1024;

/**
 * Handles the first request of a resumable upload: stores the metadata and
 * responds with the session URL.
 */
export async function startUpload(
  context: UploadContext,
  limit: number,
  described: ContentHeaders,
): Promise<Outgoing> {
  const { request, method, options } = context;
  const contentType = request.header(described.type) ?? OCTET_STREAM;
  const total = lengthOf(request, described.length);
  const hasCommands = described === GOOG_CONTENT_HEADERS;
  checkMediaType(method.upload!, contentType);
  checkUploadSize(total, limit);
  const { params, auth, form } = await context.prepare();
  const body =
    method.body === undefined
      ? undefined
      : await readBody(
          request,
          { ...method, body: "optional" },
          false,
          bodySettings(options),
          (value) => value,
        );
  const id = newId();
  await storeOf(context).create({
    id,
    method: method.id,
    params,
    body,
    auth,
    form,
    contentType,
    ...(hasCommands ? { hasCommands } : {}),
    total,
    limit,
  });
  const url = locationOf(request, id);
  const headers = { "x-guploader-uploadid": id, "content-length": "0" };
  return {
    status: 200,
    headers: hasCommands
      ? { ...headers, "x-goog-upload-url": url, ...activeHeaders(0) }
      : { ...headers, location: url },
  };
}

/** Returns the headers that describe an incomplete upload with commands. */
function activeHeaders(size: number): Record<string, string> {
  return {
    "x-goog-upload-status": "active",
    "x-goog-upload-size-received": String(size),
    "x-goog-upload-chunk-granularity": String(GRANULARITY),
  };
}

/**
 * Reads a header that contains a number of bytes.
 *
 * @throws ApiError 400 if the value is not a number.
 */
function lengthOf(request: Incoming, name: string): number | undefined {
  const header = request.header(name);
  if (header === undefined) return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  const title = name.replace(/(?<![a-z])[a-z]/g, (letter) =>
    letter.toUpperCase(),
  );
  throw new ApiError(400, `Invalid ${title}.`);
}

/**
 * Returns an ID of 128 random bits. The ID must not be guessable, because
 * anyone who knows the session URL can write to the upload.
 */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

function locationOf(request: Incoming, id: string): string {
  const { target } = request;
  return `${urlOf(request, target)}${target.includes("?") ? "&" : "?"}upload_id=${id}`;
}

/**
 * Handles a later request of an upload session: a request that sends content,
 * queries the status, or cancels the upload.
 */
export async function continueUpload(
  id: string,
  context: UploadContext,
): Promise<Outgoing> {
  const store = storeOf(context);
  const state = await store.find(id);
  if (state === undefined) throw uploadNotFound();
  const { request } = context;
  if (request.method === "DELETE") {
    await cancel(id, store);
    return { status: 499, headers: { "content-length": "0" } };
  }
  const command = commandOf(request, state.session);
  if (command === "cancel" && state.response === undefined) {
    await cancel(id, store);
    return {
      status: 200,
      headers: { "x-goog-upload-status": "cancelled", "content-length": "0" },
    };
  }
  if (activeWriters.has(id))
    throw new ApiError(503, "Another request is writing to this upload.", {
      headers: { "retry-after": "1" },
    });
  const writer = { isRemoved: false };
  activeWriters.set(id, writer);
  try {
    return command === undefined
      ? await receive(state, store, context, writer)
      : await obey(command, state, store, context, writer);
  } finally {
    activeWriters.delete(id);
  }
}

async function cancel(id: string, store: UploadStore): Promise<void> {
  const writer = activeWriters.get(id);
  if (writer !== undefined) writer.isRemoved = true;
  await store.remove(id);
}

/** Values of `X-Goog-Upload-Command` for an existing upload. */
const COMMANDS = [
  "upload",
  "upload, finalize",
  "finalize",
  "query",
  "cancel",
] as const;

type Command = (typeof COMMANDS)[number];

/**
 * Returns the command of a request; undefined if the requests of the session
 * have the header `Content-Range` instead.
 *
 * @throws ApiError 400 for an unknown command, and if the session was started
 *   in the other way.
 */
function commandOf(
  request: Incoming,
  { hasCommands = false }: UploadSession,
): Command | undefined {
  const header = request.header("x-goog-upload-command");
  if (header === undefined && !hasCommands) return undefined;
  if (!hasCommands)
    throw new ApiError(
      400,
      "The upload was started without X-Goog-Upload-Protocol.",
    );
  const given = header?.toLowerCase().split(",");
  const text = given?.map((word) => word.trim()).join(", ");
  const command = COMMANDS.find((known) => known === text);
  if (command !== undefined) return command;
  throw new ApiError(
    400,
    "X-Goog-Upload-Command must be upload, finalize, query or cancel.",
  );
}

/** Handles a request with a command. */
async function obey(
  command: Command,
  { session, response, size }: UploadState,
  store: UploadStore,
  context: UploadContext,
  writer: { readonly isRemoved: boolean },
): Promise<Outgoing> {
  if (response !== undefined)
    return { ...response, headers: { ...response.headers } };
  if (command === "query") return active(size);
  const chunks = decodedChunks(context.request, context.options);
  if (command === "finalize") {
    await checkEmpty(chunks);
    return complete(session, size, store, context);
  }
  const start = lengthOf(context.request, "x-goog-upload-offset");
  if (start !== size)
    throw new ApiError(
      400,
      `X-Goog-Upload-Offset must be ${size}, the number of received bytes.`,
      { headers: activeHeaders(size) },
    );
  const { total = Infinity } = session;
  const limit = Math.min(total, session.limit);
  const range = { start, last: undefined, total: undefined, isWhole: true };
  const received = await store.append(
    session.id,
    newBytes(chunks, range, size, { ...session, limit }, writer),
  );
  if (writer.isRemoved) throw uploadNotFound();
  return command === "upload"
    ? active(received)
    : complete(session, received, store, context);
}

/**
 * Checks that a request that only completes an upload has no content, because
 * the content would be lost.
 */
async function checkEmpty(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const { length } of chunks)
    if (length > 0)
      throw new ApiError(
        400,
        "A request with content needs X-Goog-Upload-Command: upload, finalize.",
      );
}

function active(size: number): Outgoing {
  return {
    status: 200,
    headers: { ...activeHeaders(size), "content-length": "0" },
  };
}

async function receive(
  state: UploadState,
  store: UploadStore,
  context: UploadContext,
  writer: { readonly isRemoved: boolean },
): Promise<Outgoing> {
  const { session, response } = state;
  const { request } = context;
  if (response !== undefined)
    return { ...response, headers: { ...response.headers } };
  const range = parseContentRange(request.header("content-range"));
  checkTotal(session, range);
  let { size } = state;
  if (range.start !== undefined) {
    if (range.start > size)
      throw new ApiError(
        503,
        `The bytes starting at offset ${size} are missing.`,
      );
    size = await store.append(
      session.id,
      newBytes(
        decodedChunks(request, context.options),
        range,
        size,
        session,
        writer,
      ),
    );
    if (writer.isRemoved) throw uploadNotFound();
  }
  const total = range.total ?? session.total;
  if (total !== undefined ? size < total : !range.isWhole)
    return incomplete(request, size);
  return complete(session, size, store, context);
}

function checkTotal({ total, limit }: UploadSession, range: UploadRange): void {
  checkUploadSize(range.total, limit);
  if (range.total === undefined || total === undefined) return;
  if (range.total !== total)
    throw new ApiError(
      400,
      `The content must have the declared size of ${total} bytes.`,
    );
}

/**
 * Yields the bytes that have not been stored yet.
 *
 * @throws ApiError if the body exceeds the range that the request declares.
 */
async function* newBytes(
  chunks: AsyncIterable<Uint8Array>,
  { start, last }: UploadRange,
  size: number,
  { limit }: UploadSession,
  writer: { readonly isRemoved: boolean },
): AsyncGenerator<Uint8Array> {
  let at = start!;
  for await (const chunk of chunks) {
    if (writer.isRemoved) throw uploadNotFound();
    const end = at + chunk.length;
    if (last !== undefined && end > last + 1)
      throw new ApiError(400, "The body exceeds the range in Content-Range.");
    checkUploadSize(end, limit);
    if (end > size) yield at >= size ? chunk : chunk.subarray(size - at);
    at = end;
  }
}

/**
 * Responds to a request that does not complete the upload. The 308 response
 * must not have a `Location` header, because clients would follow it. Clients
 * that can't handle 308, such as Go clients, request a 200 response with the
 * actual status in a header.
 */
function incomplete(request: Incoming, size: number): Outgoing {
  const headers: Record<string, string> = { "content-length": "0" };
  if (size > 0) headers["range"] = `bytes=0-${size - 1}`;
  if (request.header("x-guploader-no-308") !== "yes")
    return { status: 308, headers };
  headers["x-http-status-code-override"] = "308";
  return { status: 200, headers };
}

async function complete(
  session: UploadSession,
  size: number,
  store: UploadStore,
  context: UploadContext,
): Promise<Outgoing> {
  const { id, contentType, limit, total } = session;
  if (total !== undefined && total !== size)
    throw new ApiError(
      400,
      `The content must have the declared size of ${total} bytes.`,
    );
  const media = createMedia(store.read(id), contentType, size, limit);
  try {
    const response = await context.resume(session, media);
    if (session.hasCommands === true)
      Object.assign(response.headers, finalHeaders(size));
    await store.finish(id, toStoredResponse(response));
    return response;
  } catch (error) {
    // The upload is removed after a client error, because retrying would cause
    // the same error. After other errors, the client can retry.
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    await store.remove(id);
    if (session.hasCommands !== true) throw error;
    const headers = { ...error.extras.headers, ...finalHeaders(size) };
    const { status, message, extras } = error;
    throw new ApiError(status, message, { ...extras, headers, cause: error });
  }
}

/** Returns the headers that describe a completed upload with commands. */
function finalHeaders(size: number): Record<string, string> {
  return {
    "x-goog-upload-status": "final",
    "x-goog-upload-size-received": String(size),
  };
}

function toStoredResponse({ status, headers, body }: Outgoing): StoredResponse {
  return {
    status,
    headers: { ...headers },
    body: typeof body === "string" ? body : undefined,
  };
}
