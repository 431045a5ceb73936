/* eslint-disable */
// biome-ignore-all lint: generated

// This file is longer than 250 lines, because all steps of an upload change the
// same state.

import type { Auth } from "../auth.js";
import { buildRequest } from "../build-request.js";
import type { CallResult, Invocation } from "../contract.js";
import { ApiError, toApiError, type ErrorContext } from "../error.js";
import { readValue } from "../execute.js";
import { mergeHeaders } from "../headers.js";
import type { RetryOptions } from "../options.js";
import {
  CLEARED,
  isTransient,
  refreshAuth,
  retryDelay,
  retryOptions,
  sleep,
} from "../retry.js";
import { discardBody } from "../web-stream.js";
import { withTimeout } from "../with-timeout.js";
import type { ApiRequest } from "../request.js";
import { checkSize, type UploadRules } from "./rules.js";
import { sendToSession, sessionRequest } from "./session.js";
import { checkLength } from "./single-request.js";
import type { Chunk, Source } from "./source.js";

/** Resumable upload in progress. */
interface Upload {
  readonly call: Invocation;
  readonly rules: UploadRules;
  readonly source: Source;
  readonly type: string;
  readonly signal: AbortSignal | null;
  readonly context: ErrorContext;
  /** URL of the upload session; `undefined` before the session is started. */
  uri: string | undefined;
  /** Number of bytes that the server has confirmed. */
  offset: number;
  /** Offset that the next confirmed offset must exceed to count as progress. */
  furthest: number;
  /**
   * Number of times that the upload continued at an earlier offset or
   * restarted.
   */
  rewinds: number;
  /** Number of bytes of the content that were sent in this session. */
  sent: number;
  /** Size of the content in bytes; `undefined` until it is known. */
  size: number | undefined;
  /**
   * `true` if the confirmed offset may be outdated, so that the next request
   * must query it.
   */
  isStale: boolean;
  /**
   * Credentials that replace the client's credentials after a response with
   * status 401.
   */
  credentials: Auth | undefined;
}

/**
 * Sends the metadata, then sends the content in chunks, starting at the offset
 * that the server has confirmed. After an error, the confirmed offset is
 * queried first. If the upload session no longer exists, a new session is
 * started, provided that the content can be read again.
 */
export function uploadResumable(
  call: Invocation,
  rules: UploadRules,
  source: Source,
  type: string,
): Promise<CallResult<unknown>> {
  const { session, onProgress } = call.options;
  return withTimeout(call, async (signal, context) => {
    if (session)
      checkLength(session.size ?? source.size ?? 0, source.size, true);
    const uri = session?.uri;
    const upload: Upload = {
      call,
      rules,
      source,
      type,
      signal,
      context,
      uri,
      offset: 0,
      furthest: -1,
      rewinds: 0,
      sent: session ? Infinity : 0,
      size: source.size ?? session?.size,
      isStale: true,
      credentials: undefined,
    };
    const result = await runUpload(upload);
    const { size } = upload;
    if (size !== undefined) onProgress?.({ loaded: size, total: size });
    return result;
  }).finally(() => source.release());
}

/**
 * Sends requests until the upload is complete. Throws after too many
 * consecutive transient errors.
 */
async function runUpload(upload: Upload): Promise<CallResult<unknown>> {
  const { call, signal, context } = upload;
  const options = retryOptions(call);
  const { attempts = 8, budget = 60_000, onRetry } = options;
  let failures = 0;
  let since = performance.now();
  for (;;) {
    let error: ApiError;
    context.attempts = failures + 1;
    try {
      const result = await sendNext(upload);
      if (result) return result;
      if (upload.offset > upload.furthest) {
        [upload.furthest, failures, since] = [
          upload.offset,
          0,
          performance.now(),
        ];
        report(upload);
        continue;
      }
      error = uploadError(upload, "the upload made no progress");
    } catch (thrown) {
      signal?.throwIfAborted();
      error = toApiError(thrown, signal, context);
      const { credentials } = upload;
      if (!(await recover(upload, error, options))) throw error;
      // New credentials are used at once, and also if retries are disabled.
      if (upload.credentials !== credentials) {
        onRetry?.({ error, attempt: failures + 1, delay: 0 });
        continue;
      }
    }
    const delay = retryDelay(error, ++failures, options);
    if (failures >= attempts || performance.now() + delay > since + budget)
      throw error;
    onRetry?.({ error, attempt: failures, delay });
    await sleep(delay, signal);
  }
}

/**
 * Prepares an upload to continue after an error. Returns false if the upload
 * can't continue.
 */
async function recover(
  upload: Upload,
  error: ApiError,
  { when = isTransient }: RetryOptions,
): Promise<boolean> {
  const { call, source, uri } = upload;
  upload.isStale = true;
  if (error.status === 401 && !upload.credentials)
    return !!(upload.credentials = await refreshAuth(call, error));
  const isExpired = error.status === 404 || error.status === 410;
  if (!uri || !isExpired) return when(error);
  if (!source.canRead(0)) return false;
  upload.uri = undefined;
  upload.sent = 0;
  return rewind(upload, 0);
}

/**
 * Moves an upload back to an earlier offset. Returns false if the upload was
 * moved back more than 8 times.
 */
function rewind(upload: Upload, offset: number): boolean {
  upload.offset = offset;
  upload.furthest = offset - 1;
  return ++upload.rewinds <= 8;
}

/**
 * Sends the next request of an upload. Returns the result of the call if the
 * upload is complete.
 */
async function sendNext(
  upload: Upload,
): Promise<CallResult<unknown> | undefined> {
  const { call, source, context } = upload;
  if (!upload.uri) return startSession(upload);
  let chunk: Chunk | undefined;
  if (!upload.isStale) chunk = await nextChunk(upload);
  const request = contentRequest(upload, chunk);
  const result = await sendToSession(call, request, upload.uri);
  if ("final" in result) {
    const data = await readValue(result.final, request, call);
    return { data, response: result.final };
  }
  const { offset } = result;
  if (offset > Math.min(upload.sent, upload.size ?? Infinity))
    throw uploadError(
      upload,
      "the server confirmed more bytes than were sent",
      "decode",
    );
  context.kind = "request";
  // The offset is queried again, because a lower offset in the response to a
  // chunk can be wrong.
  upload.isStale = chunk !== undefined && offset < upload.offset;
  if (upload.isStale) return undefined;
  const back = offset < upload.offset;
  if (!source.canRead(offset) || (back && !rewind(upload, offset)))
    throw uploadError(upload, "the server lost bytes that it had confirmed");
  upload.offset = offset;
  return undefined;
}

/** Sends the metadata and starts an upload session. */
async function startSession(upload: Upload): Promise<undefined> {
  const { call, rules, source, signal, context, type } = upload;
  const path = rules.simple ?? rules.resumable!;
  const request = buildRequest(
    {
      ...call,
      descriptor: { ...call.descriptor, path },
      parameters: {
        ...call.parameters,
        media: undefined,
        uploadType: "resumable",
      },
    },
    signal,
    Object.assign(context, CLEARED),
  );
  const { size } = source;
  const headers = mergeHeaders(request.init.headers, {
    "x-upload-content-type": type,
    "x-upload-content-length": size?.toString(),
  });
  const { credentials } = upload;
  const init = { ...request.init, headers };
  const response = await call.client.send(
    { ...request, init, credentials },
    call,
  );
  const location = response.headers.get("location");
  await discardBody(response);
  if (!location)
    throw uploadError(
      upload,
      "the response has no upload session URL",
      "decode",
    );
  upload.uri = new URL(location, context.url).href;
  upload.isStale = false;
}

/**
 * Reads the next chunk of the content.
 *
 * @throws ApiError of kind `upload` if the content does not have the declared
 *   size.
 */
async function nextChunk(upload: Upload): Promise<Chunk> {
  const { source, rules, offset, size = Infinity } = upload;
  const unit = 262_144;
  const { chunkSize = 32 * unit } = upload.call.options;
  const rounded = Math.max(1, Math.ceil(chunkSize / unit)) * unit;
  const length = Math.min(rounded, size - offset);
  let chunk: Chunk;
  try {
    chunk = await source.chunk(offset, length);
    const end = offset + chunk.length;
    checkLength(
      chunk.last || end < size ? end : end + 1,
      upload.size,
      chunk.last,
    );
    checkSize(end, rules);
  } catch (thrown) {
    upload.signal?.throwIfAborted();
    const { message = thrown } = Object(thrown) as { message?: unknown };
    throw uploadError(upload, String(message), "upload", thrown);
  }
  if (chunk.last) upload.size = offset + chunk.length;
  return chunk;
}

/**
 * Returns the request that sends a chunk. Without a chunk, returns a request
 * that queries the confirmed offset.
 */
function contentRequest(
  upload: Upload,
  chunk: Chunk | undefined,
): Omit<ApiRequest, "url"> {
  const { call, uri, offset, size = "*", signal, context } = upload;
  const end = offset + (chunk?.length ?? 0);
  upload.sent = Math.max(upload.sent, end);
  const range = chunk?.length ? `${offset}-${end - 1}` : "*";
  const init = {
    method: "PUT",
    headers: { "content-range": `bytes ${range}/${size}` },
    ...(chunk?.length && { body: chunk.bytes }),
    signal,
  };
  return sessionRequest(call, uri!, init, context, upload.credentials);
}

function report({ call, uri, offset, size }: Upload): void {
  const session = { uri: uri!, offset, size };
  call.options.onProgress?.({ loaded: offset, total: size, session });
}

function uploadError(
  { context }: Upload,
  message: string,
  kind: "upload" | "decode" = "upload",
  cause?: unknown,
): ApiError {
  return new ApiError(message, { ...context, kind, cause });
}
