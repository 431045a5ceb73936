// This file is longer than 250 lines, because the first request of a download
// and the requests that continue it change the same state.

import type { Invocation, PendingCall } from "./contract.js";
import { ApiError, toApiError } from "./error.js";
import { execute } from "./execute.js";
import { mergeHeaders } from "./headers.js";
import type { Media, MediaCall } from "./media.js";
import type { ApiRequest } from "./request.js";
import { isTransient, retryDelay, retryOptions, sleep } from "./retry.js";
import { discardBody } from "./web-stream.js";
import { chunksOf, streamOf } from "./web-stream.js";

/** Options of a download. */
export interface OpenMediaOptions {
  /**
   * Range of bytes: positions of the first and the last byte, counted from 0.
   * Without the last position, the range extends to the end of the content.
   * `[-500]` means the last 500 bytes. Default: all bytes.
   */
  readonly range?: readonly [first: number, last?: number] | undefined;
  /**
   * Function that is called after each chunk. `total` is `undefined` if the
   * response has no `content-length`.
   */
  readonly onProgress?:
    | ((progress: {
        readonly loaded: number;
        readonly total: number | undefined;
      }) => void)
    | undefined;
  /**
   * Uses the separate download service at `/download/` that some APIs have
   * (`useMediaDownloadService` in the API description). Default: `false`.
   */
  readonly service?: boolean | undefined;
}

/** State of a download. */
interface Download {
  readonly call: Invocation;
  readonly options: OpenMediaOptions;
  readonly request: ApiRequest;
  readonly response: Response;
  /** Position of the first requested byte in the content. */
  readonly start: number;
  /** Total number of bytes, if known. */
  readonly total: number | undefined;
  /** Number of bytes received. */
  loaded: number;
}

/**
 * Downloads the media of a call as `media()` does, with ranges and progress. If
 * the connection breaks, requests the rest of the content, provided that the
 * response had a strong ETag and a length.
 *
 *     const media = await openMedia(drive.files.get({ fileId }), { range: [0, 99] });
 *
 * @throws ApiError, also while the stream is being read: of kind `network` if
 *   the download is interrupted and can't continue, or of kind `http` with
 *   status 416 for a range beyond the end of the content.
 */
export async function openMedia(
  call: MediaCall<unknown>,
  options: OpenMediaOptions = {},
): Promise<Media> {
  const pending = call as unknown as PendingCall;
  pending.taken = true;
  const { data } = await pending.start(async (invocation) => {
    const { request, response } = await requestMedia(
      invocation,
      options,
      rangeOf(invocation, options),
    );
    const download = createDownload(invocation, options, request, response);
    return { data: mediaOf(download), response };
  });
  return data as Media;
}

/**
 * Formats the `range` header.
 *
 * @throws ApiError of kind `request` for an invalid range.
 */
function rangeOf(
  { descriptor }: Invocation,
  { range }: OpenMediaOptions,
): string | undefined {
  if (!range) return undefined;
  const [first, last = ""] = range;
  const text = first < 0 ? `bytes=${first}` : `bytes=${first}-${last}`;
  if (!/^bytes=(-\d+|\d+-\d*)$/.test(text) || (last !== "" && last < first))
    throw new ApiError(`${range.join("-")} is not a valid byte range`, {
      kind: "request",
      methodId: descriptor.id,
    });
  return text;
}

/**
 * Sends a request for the content, or for a part of the content.
 *
 * @param etag ETag for the `if-range` header: the server returns the range only
 *   if the content still has this ETag.
 */
async function requestMedia(
  call: Invocation,
  { service }: OpenMediaOptions,
  range: string | undefined,
  etag?: string,
): Promise<{ request: ApiRequest; response: Response }> {
  const { servicePath } = call.client.service;
  const { path } = call.descriptor;
  const below = path.startsWith("/") ? path : `/${servicePath}${path}`;
  const { data, response } = await execute(
    {
      ...call,
      descriptor: {
        ...call.descriptor,
        path: service ? `/download${below}` : path,
      },
      parameters: { ...call.parameters, ...(call.media ?? { alt: "media" }) },
      options: {
        ...call.options,
        headers: mergeHeaders(call.options.headers, {
          ...(range && { range }),
          ...(etag && { "if-range": etag }),
        }),
      },
    },
    async (_, request) => request,
    true,
  );
  return { request: data, response };
}

function createDownload(
  call: Invocation,
  options: OpenMediaOptions,
  request: ApiRequest,
  response: Response,
): Download {
  const { headers } = response;
  const [, start = 0] = /^bytes (\d+)-/.exec(contentRange(response)) ?? [];
  const length = headers.get("content-length");
  const coded = headers.has("content-encoding");
  const total = length && !coded ? Number(length) : undefined;
  request.context.kind = "network";
  return {
    call,
    options,
    request,
    response,
    start: Number(start),
    total,
    loaded: 0,
  };
}

function contentRange(response: Response): string {
  const text = response.headers.get("content-range");
  return (response.status === 206 && text) || "";
}

function mediaOf(download: Download): Media {
  const { response } = download;
  const stream = streamOf(readAll(download));
  const type = response.headers.get("content-type") ?? "";
  const body = () => new Response(stream);
  return {
    response,
    type,
    stream,
    bytes: async () => new Uint8Array(await body().arrayBuffer()),
    text: () => body().text(),
    blob: async () => new Blob([await body().arrayBuffer()], { type }),
  };
}

/**
 * Yields the bytes of the first response and of the responses that continue an
 * interrupted download.
 */
async function* readAll(
  download: Download,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { request, options } = download;
  const { signal } = request.init;
  const { total } = download;
  let { response } = download;
  let failures = 0;
  let since = 0;
  for (;;) {
    try {
      for await (const chunk of chunksOf(response.body)) {
        download.loaded += chunk.length;
        failures = 0;
        yield chunk;
        options.onProgress?.({ loaded: download.loaded, total });
      }
      if (total === undefined || download.loaded >= total) return;
      throw new TypeError("the media is incomplete");
    } catch (thrown) {
      let error = toApiError(thrown, signal, request.context);
      if (!failures) since = performance.now();
      for (;;) {
        await waitForRetry(download, error, ++failures, since);
        const next = await requestRest(download).catch(
          (reason: ApiError) => reason,
        );
        if (!(next instanceof Error)) {
          response = next;
          break;
        }
        error = next;
      }
    }
  }
}

/**
 * Waits before the download continues.
 *
 * @param since time when the stream was interrupted; the time limit for retries
 *   is counted from this time.
 * @throws ApiError (the given error) if no further attempt is allowed.
 */
async function waitForRetry(
  { call, request, response, total }: Download,
  error: ApiError,
  failures: number,
  since: number,
): Promise<void> {
  const options = retryOptions(call);
  const strong = response.headers.get("etag")?.startsWith('"');
  const isResumable = strong && total !== undefined;
  const { attempts = 4, budget = 60_000, when = isTransient } = options;
  if (!isResumable || failures >= attempts || !when(error)) throw error;
  const delay = retryDelay(error, failures, options);
  if (performance.now() + delay > since + budget) throw error;
  options.onRetry?.({ error, attempt: failures, delay });
  await sleep(delay, request.init.signal);
}

/**
 * Requests the bytes of the media that have not been received yet.
 *
 * @throws ApiError if the content has changed.
 */
async function requestRest(download: Download): Promise<Response> {
  const { call, options, request, response } = download;
  const { start, total, loaded } = download;
  const first = start + loaded;
  const range = `bytes=${first}-${start + total! - 1}`;
  const etag = response.headers.get("etag")!;
  // Retries are disabled for this call, because the caller already counts
  // attempts and limits their total time.
  const once = { ...call, options: { ...call.options, retry: false } as const };
  const rest = (await requestMedia(once, options, range, etag)).response;
  if (contentRange(rest).startsWith(`bytes ${first}-`)) return rest;
  await discardBody(rest);
  throw new ApiError("the media changed during the download", {
    ...request.context,
    kind: "decode",
  });
}
