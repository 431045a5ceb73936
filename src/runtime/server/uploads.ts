import type {
  MethodDefinition,
  UploadRules,
  UploadContext,
} from "./contract.js";
import {
  bodySettings,
  checkBody,
  type BodySettings,
} from "./bodies/json-body.js";
import { isEncoded } from "./bodies/content-encoding.js";
import { ApiError, streamInBatch } from "./error.js";
import {
  OCTET_STREAM,
  checkMediaType,
  fromBase64,
  createMedia,
} from "./bodies/media.js";
import {
  boundaryOf,
  malformedMultipart,
  readParts,
  type Part,
} from "./bodies/multipart.js";
import { readAll, mediaType, parseJson } from "./bodies/read.js";
import type { Incoming, Outgoing } from "./request.js";
import { decodedChunks } from "./bodies/timeouts.js";
import { checkUploadSize } from "./uploads/errors.js";
import {
  CONTENT_HEADERS,
  GOOG_CONTENT_HEADERS,
  continueUpload,
  startUpload,
} from "./uploads/resumable.js";

/** Default maximum size of an upload in bytes. */
const UPLOAD = 5 * 1024 ** 4;

/**
 * Handles uploads. An upload consists of content only, of metadata and content
 * in a multipart body, or of several requests (resumable upload). Only servers
 * whose API has upload methods import this module.
 */
export async function uploads(context: UploadContext): Promise<Outgoing> {
  const { request, query } = context;
  if (request.isPart === true) throw streamInBatch();
  const id = query.get("upload_id");
  if (id !== undefined) return continueUpload(id, context);
  const protocol = request.header("x-goog-upload-protocol");
  const queried = query.get("uploadType") ?? query.get("upload_protocol");
  const kind = protocol?.trim().toLowerCase() ?? queried;
  if (hasStartCommand(request, protocol, kind))
    return startUpload(context, limitOf(context), GOOG_CONTENT_HEADERS);
  const type = request.header("content-type") ?? OCTET_STREAM;
  switch (kind) {
    case "resumable":
      return startUpload(context, limitOf(context), CONTENT_HEADERS);
    case "multipart":
      return multipartUpload(context, type);
    case "media":
    case "raw":
      return mediaUpload(
        context,
        request.header(GOOG_CONTENT_HEADERS.type) ?? type,
      );
    case undefined:
      return mediaType(type).startsWith("multipart/")
        ? multipartUpload(context, type)
        : mediaUpload(context, type);
    default:
      throw new ApiError(
        400,
        protocol === undefined
          ? "Unknown uploadType."
          : "Unknown X-Goog-Upload-Protocol. Valid protocols: multipart, raw, resumable.",
        { reason: "invalidParameter" },
      );
  }
}

/**
 * Returns true if a request starts a resumable upload whose later requests have
 * the header `X-Goog-Upload-Command`.
 *
 * @throws ApiError 400 for any other command, and for the protocol `resumable`
 *   without a command, because the body of such a request is not content.
 */
function hasStartCommand(
  request: Incoming,
  protocol: string | undefined,
  kind: string | undefined,
): boolean {
  const command = request.header("x-goog-upload-command");
  const isResumable = kind === "resumable";
  if (command === undefined && !(isResumable && protocol !== undefined))
    return false;
  if (isResumable && command?.trim().toLowerCase() === "start") return true;
  throw new ApiError(
    400,
    isResumable
      ? "X-Goog-Upload-Command of the first request must be start."
      : "X-Goog-Upload-Command requires X-Goog-Upload-Protocol: resumable.",
    { reason: "invalidParameter" },
  );
}

async function mediaUpload(
  context: UploadContext,
  type: string,
): Promise<Outgoing> {
  const { request, method, options } = context;
  checkMediaType(method.upload!, type);
  const prepared = await context.prepare();
  const length = request.header("content-length");
  const isKnown = length !== undefined && !isEncoded(request);
  const size = isKnown ? Number(length) : undefined;
  const limit = limitOf(context);
  checkUploadSize(size, limit);
  const media = createMedia(decodedChunks(request, options), type, size, limit);
  return context.invoke(prepared, undefined, media);
}

/**
 * Handles a multipart upload. Its body must have exactly two parts: JSON
 * metadata and content.
 */
async function multipartUpload(
  context: UploadContext,
  type: string,
): Promise<Outgoing> {
  const { request, method, options } = context;
  const boundary = boundaryOf(type);
  const prepared = await context.prepare();
  const parts = readParts(decodedChunks(request, options), boundary);
  try {
    const body = await readMetadata(
      await nextPart(parts),
      method,
      bodySettings(options),
    );
    const part = await nextPart(parts);
    const contentType =
      part.headers.get("content-type") ?? typeIn(body) ?? OCTET_STREAM;
    checkMediaType(method.upload!, contentType);
    const media = createMedia(
      lastPartContent(part, parts),
      contentType,
      undefined,
      limitOf(context),
    );
    return await context.invoke(prepared, body, media);
  } finally {
    await parts.return(undefined);
  }
}

async function nextPart(parts: AsyncGenerator<Part>): Promise<Part> {
  const { done, value } = await parts.next();
  if (done === true) throw malformedMultipart("The body must have two parts.");
  return value;
}

/**
 * Yields the content of the second part of a multipart upload.
 *
 * @throws ApiError if a third part follows.
 */
async function* lastPartContent(
  part: Part,
  parts: AsyncGenerator<Part>,
): AsyncGenerator<Uint8Array> {
  const encoding = part.headers.get("content-transfer-encoding")?.toLowerCase();
  yield* encoding === "base64" ? fromBase64(part.chunks()) : part.chunks();
  const { done } = await parts.next();
  if (done !== true)
    throw malformedMultipart("The body has more than two parts.");
}

async function readMetadata(
  part: Part,
  method: MethodDefinition,
  settings: BodySettings,
): Promise<unknown> {
  const bytes = await readAll(part.chunks(), settings.limit);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") return undefined;
  const value = parseJson(text, settings.depth);
  return method.body === undefined || value === null
    ? undefined
    : checkBody(value, method, settings);
}

/** Returns the media type that the metadata in the body specifies. */
function typeIn(body: unknown): string | undefined {
  const { contentType, mimeType } = Object(body) as Record<string, unknown>;
  const type = contentType ?? mimeType;
  return typeof type === "string" ? type : undefined;
}

function limitOf({ method, options }: UploadContext): number {
  const { maxSize }: Pick<UploadRules, "maxSize"> = method.upload!;
  return Math.min(maxSize ?? Infinity, options.limits?.upload ?? UPLOAD);
}
