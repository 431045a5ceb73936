/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth } from "../auth.js";
import type { Invocation } from "../contract.js";
import { ApiError, type ErrorContext } from "../error.js";
import { pickHeaders } from "../follow-redirects.js";
import { mergeHeaders, type PlainHeaders } from "../headers.js";
import type { ApiRequest } from "../request.js";
import { CLEARED } from "../retry.js";
import { discardBody } from "../web-stream.js";

/**
 * Response within an upload session: the final response, or the number of bytes
 * that the server has confirmed.
 */
export type SessionResponse =
  { readonly final: Response } | { readonly offset: number };

/**
 * `true` if the platform hides responses with status 308. Browsers do so with
 * `redirect: "manual"`; with `"follow"`, they return a 308 response that has no
 * `Location` header. Set when the first hidden response is received.
 */
let isHidden = false;

/**
 * Sends one request of an upload session.
 *
 * @throws ApiError for a status other than 2xx and 308.
 */
export async function sendToSession(
  call: Invocation,
  request: Omit<ApiRequest, "url">,
  uri: string,
): Promise<SessionResponse> {
  const { context } = request;
  try {
    const init = isHidden ? followedByPlatform(request.init) : request.init;
    const final = await call.client.send({ ...request, init, url: uri }, call);
    const override = final.headers.get("x-http-status-code-override");
    if (override !== "308") return { final };
    await discardBody(final);
    return { offset: confirmedBytes(final.headers, context) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 0 && !isHidden) {
      isHidden = true;
      return sendToSession(
        call,
        { ...request, init: statusQuery(request.init) },
        uri,
      );
    }
    if (error.status !== 308) throw error;
    return { offset: confirmedBytes(error.headers!, context) };
  }
}

type Init = ApiRequest["init"];

/**
 * Returns request options that let the platform follow redirects. The only
 * headers are `authorization` and `content-*`, because a redirect can lead to
 * another origin.
 */
function followedByPlatform(init: Init): Init {
  const headers = pickHeaders(init.headers, /^(authorization|content-.*)$/);
  return { ...init, redirect: "follow", headers };
}

/**
 * Returns a request that queries the number of confirmed bytes instead of
 * sending a chunk. The chunk must not be sent again, because the server may
 * have received it.
 */
function statusQuery(init: Init): Init {
  const headers: PlainHeaders = init.headers;
  const total = headers["content-range"]?.split("/")[1] ?? "*";
  return {
    ...init,
    body: null,
    headers: { ...headers, "content-range": `bytes */${total}` },
  };
}

/**
 * Returns a request of an upload session, without its URL. The caller's headers
 * and credentials are included only if the session URL has the same origin as
 * the API.
 */
export function sessionRequest(
  call: Invocation,
  uri: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal | null;
    readonly body?: Blob | Uint8Array<ArrayBuffer>;
  },
  context: ErrorContext,
  credentials?: Auth,
): Omit<ApiRequest, "url"> {
  const { client, options } = call;
  const isOwn = isSameOrigin(call, uri);
  Object.assign(context, CLEARED, {
    url: uri.replace(/[?#][^]*/, ""),
  });
  const headers = isOwn
    ? mergeHeaders(client.options.headers, options.headers, init.headers)
    : mergeHeaders(init.headers);
  return {
    init: { ...init, headers },
    context,
    credentials: isOwn ? credentials : () => null,
  };
}

/**
 * Tests whether the URL of an upload session has the same origin as the API.
 */
function isSameOrigin({ client }: Invocation, uri: string): boolean {
  const root = client.options.rootUrl ?? client.service.rootUrl;
  return new URL(root).origin === new URL(uri).origin;
}

/**
 * Returns the number of confirmed bytes from the `Range: bytes=0-LAST` response
 * header; 0 if the header is missing.
 *
 * @throws ApiError of kind `decode` for any other range.
 */
function confirmedBytes(headers: Headers, context: ErrorContext): number {
  const range = headers.get("range");
  if (!range) return 0;
  const last = /^(?:bytes[= ])?0-(\d{1,15})$/.exec(range)?.[1];
  if (last !== undefined) return Number(last) + 1;
  throw new ApiError("the Range header of the response is invalid", {
    ...context,
    kind: "decode",
  });
}
