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

/**
 * Handles the first request of a resumable upload: stores the metadata and
 * responds with the session URL.
 */
export async function startUpload(
  context: UploadContext,
  limit: number,
): Promise<Outgoing> {
  const { request, method, options } = context;
  const contentType = request.header("x-upload-content-type") ?? OCTET_STREAM;
  const total = lengthOf(request.header("x-upload-content-length"));
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
    total,
    limit,
  });
  const location = locationOf(request, id);
  return {
    status: 200,
    headers: { location, "x-guploader-uploadid": id, "content-length": "0" },
  };
}

function lengthOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ApiError(400, "Invalid X-Upload-Content-Length.");
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
    const writer = activeWriters.get(id);
    if (writer !== undefined) writer.isRemoved = true;
    await store.remove(id);
    return { status: 499, headers: { "content-length": "0" } };
  }
  if (activeWriters.has(id))
    throw new ApiError(503, "Another request is writing to this upload.", {
      headers: { "retry-after": "1" },
    });
  const writer = { isRemoved: false };
  activeWriters.set(id, writer);
  try {
    return await receive(state, store, context, writer);
  } finally {
    activeWriters.delete(id);
  }
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
    await store.finish(id, toStoredResponse(response));
    return response;
  } catch (error) {
    // The upload is removed after a client error, because retrying would cause
    // the same error. After other errors, the client can retry.
    if (error instanceof ApiError && error.status < 500) await store.remove(id);
    throw error;
  }
}

function toStoredResponse({ status, headers, body }: Outgoing): StoredResponse {
  return {
    status,
    headers: { ...headers },
    body: typeof body === "string" ? body : undefined,
  };
}
