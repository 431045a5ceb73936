import type { Client, Feature, Invocation, Payload } from "./contract.js";
import { execute } from "./execute.js";
import { jsonBody } from "./json-body.js";
import { readMedia } from "./media.js";
import { bytesOf, toBytes } from "./upload/source.js";
import type { UploadBody } from "./upload/types.js";
import { streamOf } from "./web-stream.js";

/** Content of any type (`google.api.HttpBody`). */
export type RawContent = UploadBody | URLSearchParams | FormData;

/**
 * The parameter `requestBody` of a method that takes content of any type: the
 * content, the content with its type, or an object that is sent as JSON.
 */
export type RawBody =
  | RawContent
  | {
      /** The content. */
      readonly body: RawContent;
      /**
       * Its type. Default: that of a Blob or form, `text/plain` for a string,
       * else `application/octet-stream`.
       */
      readonly mimeType?: string | undefined;
    }
  | { readonly [name: string]: unknown };

/**
 * Sends `requestBody` as it is, with its type; an object that is no content as
 * JSON, as official clients do. Streams are sent once.
 *
 * @throws TypeError for a body with GET or HEAD, which `fetch` cannot send, and
 *   for JSON that is none.
 */
export function rawBody(call: Invocation): Payload | undefined {
  const given = call.parameters["requestBody"];
  const { body, mimeType } = splitBody(given);
  if (body === undefined) return jsonBody(call);
  const { verb = "GET" } = call.descriptor;
  if (/^(GET|HEAD)$/.test(verb))
    throw new TypeError(`fetch cannot send a requestBody with ${verb}`);
  const [content, type] = encodeContent(body);
  const known = mimeType ?? type;
  return {
    body: content,
    headers: known === undefined ? {} : { "content-type": known },
    ...(content instanceof ReadableStream && { duplex: "half" }),
  };
}

interface TypedContent {
  readonly body?: RawContent;
  readonly mimeType?: string;
}

function splitBody(given: unknown): TypedContent {
  if (isContent(given)) return { body: given };
  const { body, mimeType, ...rest } = Object(given) as Record<string, unknown>;
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

/** What `fetch` takes, and its type if that is not for the platform to say. */
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
 * Makes the value of a call its media, for answers of any type
 * (`google.api.HttpBody`). The signal covers the body as well.
 */
export const rawResponse: Feature = (call, invocation) => {
  const { start } = call;
  const { client } = invocation;
  // To the client it is media: bytes without a limit.
  const send: Client["send"] = (request, inner) =>
    client.send(request, {
      ...inner,
      parameters: { ...inner.parameters, alt: "media" },
    });
  Object.assign(invocation, {
    client: { ...client, options: client.options, send },
    media: {},
  });
  const run = (own: Invocation) => execute(own, readMedia, true);
  return {
    start: (how = run) => start(how as typeof run),
    media() {
      call.taken = true;
      return call.start().then(({ data }) => data);
    },
  };
};
