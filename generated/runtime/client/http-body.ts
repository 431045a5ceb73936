/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client, Feature, Invocation, Payload } from "./contract.js";
import { execute } from "./execute.js";
import { jsonBody } from "./json-body.js";
import { readMedia } from "./media.js";
import { bytesOf, toBytes } from "./upload/source.js";
import type { UploadBody } from "./upload/types.js";
import { streamOf } from "./web-stream.js";

/** Content of any media type, as in `google.api.HttpBody`. */
export type RawContent = UploadBody | URLSearchParams | FormData;

/**
 * Parameter `requestBody` of a method that accepts any media type: the content,
 * the content with its type, or an object that is sent as JSON.
 */
export type RawBody =
  | RawContent
  | {
      /** Content to send. */
      readonly body: RawContent;
      /**
       * Media type. Default: the type of a Blob or form, `text/plain` for a
       * string, otherwise `application/octet-stream`.
       */
      readonly mimeType?: string | undefined;
    }
  | { readonly [name: string]: unknown };

/**
 * Encodes `requestBody`. Content such as bytes, streams and forms is sent
 * unchanged, with its media type. Other objects are encoded as JSON, as in
 * official clients. Requests with a stream can't be retried.
 *
 * @throws TypeError for a body with GET or HEAD, which `fetch` can't send, and
 *   for a value that has no JSON form.
 */
export function rawBody(call: Invocation): Payload | undefined {
  const { body, mimeType } = splitBody(call.parameters["requestBody"]);
  if (body === undefined) return jsonBody(call);
  const { httpMethod = "GET" } = call.descriptor;
  if (/^(GET|HEAD)$/.test(httpMethod))
    throw new TypeError(`${httpMethod} must not have a requestBody`);
  const [content, type] = encodeContent(body);
  const contentType = mimeType ?? type;
  return {
    body: content,
    headers: contentType === undefined ? {} : { "content-type": contentType },
    ...(content instanceof ReadableStream && { duplex: "half" }),
  };
}

interface TypedContent {
  readonly body?: RawContent;
  readonly mimeType?: string;
}

function splitBody(value: unknown): TypedContent {
  if (isContent(value)) return { body: value };
  const { body, mimeType, ...rest } = Object(value) as Record<string, unknown>;
  const isPair = isContent(body) && Object.keys(rest).length === 0;
  return isPair && (mimeType === undefined || typeof mimeType === "string")
    ? ({ body, mimeType } as TypedContent)
    : {};
}

function isContent(value: unknown): value is RawContent {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null) return false;
  return (
    value instanceof Blob ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    "getReader" in value ||
    Symbol.asyncIterator in value ||
    isFormData(value) ||
    isUrlSearchParams(value)
  );
}

/**
 * Returns the content in a form that `fetch` accepts, and the media type of the
 * content. The media type is omitted if the platform sets it.
 */
function encodeContent(
  body: RawContent,
): readonly [content: Payload["body"], type?: string] {
  if (typeof body === "string") return [body, "text/plain;charset=UTF-8"];
  if (body instanceof Blob) return [body, body.type || OCTET_STREAM];
  if (isFormData(body)) return [body];
  if (isUrlSearchParams(body))
    return [String(body), "application/x-www-form-urlencoded;charset=UTF-8"];
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return [toBytes(body), OCTET_STREAM];
  return [
    body instanceof ReadableStream ? body : streamOf(bytesOf(body)),
    OCTET_STREAM,
  ];
}

const OCTET_STREAM = "application/octet-stream";

function isFormData(value: object): value is FormData {
  return tagOf(value) === "[object FormData]";
}

function isUrlSearchParams(value: object): value is URLSearchParams {
  return tagOf(value) === "[object URLSearchParams]";
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value);
}

/**
 * `Feature` for methods whose response can have any media type
 * (`google.api.HttpBody`): the call resolves to the media. The abort signal
 * also applies while the body is being read.
 */
export const rawResponse: Feature = (call, invocation) => {
  const { start } = call;
  const { client } = invocation;
  // The call is sent like a media download, because the size limit for
  // responses does not apply to media.
  const send: Client["send"] = (request, inner) =>
    client.send(request, {
      ...inner,
      parameters: { ...inner.parameters, alt: "media" },
    });
  Object.assign(invocation, {
    client: { ...client, options: client.options, send },
    media: {},
  });
  const readRaw = (own: Invocation) => execute(own, readMedia, true);
  return {
    start: (run = readRaw) => start(run as typeof readRaw),
    media() {
      call.taken = true;
      return call.start().then(({ data }) => data);
    },
  };
};
