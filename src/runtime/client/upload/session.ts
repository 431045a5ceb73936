import type { Auth } from "../auth.js";
import type { Invocation } from "../contract.js";
import { ApiError, type ErrorFacts } from "../error.js";
import { pickHeaders } from "../follow-redirects.js";
import { mergeHeaders, type PlainHeaders } from "../headers.js";
import type { ApiRequest } from "../request.js";

/** What a session says: the final answer, or how many bytes it has. */
export type SessionResponse =
  { readonly final: Response } | { readonly offset: number };

/**
 * Whether the platform hides responses with status 308, as browsers do unless
 * they are to follow redirects. Known after the first such response.
 */
let isHidden = false;

/**
 * Sends one request to a session. The caller's headers and credentials go
 * along only if the session is on the server that the method is on.
 *
 * @throws ApiError for an answer that is neither 2xx nor 308.
 */
export async function sendToSession(
  call: Invocation,
  request: Omit<ApiRequest, "url">,
  uri: string,
): Promise<SessionResponse> {
  const { facts } = request;
  try {
    const init = isHidden ? followed(request.init) : request.init;
    const final = await call.client.send({ ...request, init, url: uri }, call);
    const override = final.headers.get("x-http-status-code-override");
    if (override !== "308") return { final };
    await final.body?.cancel();
    return { offset: confirmedBytes(final.headers, facts) };
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
    return { offset: confirmedBytes(error.headers!, facts) };
  }
}

type Init = ApiRequest["init"];

/** To be followed by the platform, and so without headers of the caller. */
function followed({ headers, ...init }: Init): Init {
  return {
    ...init,
    redirect: "follow",
    headers: pickHeaders(headers, /^(authorization|content-.*)$/),
  };
}

/** Asks what has arrived, in place of sending it again. */
function statusQuery(init: Init): Init {
  const headers: PlainHeaders = init.headers;
  const total = headers["content-range"]?.split("/")[1] ?? "*";
  return {
    ...init,
    body: null,
    headers: { ...headers, "content-range": `bytes */${total}` },
  };
}

/** A request to a session, but for its URL. */
export function sessionRequest(
  call: Invocation,
  uri: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal | null;
    readonly body?: Blob | Uint8Array<ArrayBuffer>;
  },
  facts: ErrorFacts,
  credentials?: Auth,
): Omit<ApiRequest, "url"> {
  const { client, options } = call;
  const own = isSameOrigin(call, uri);
  Object.assign(facts, {
    kind: "request",
    url: uri.replace(/[?#][^]*/, ""),
    status: undefined,
    headers: undefined,
    body: undefined,
  });
  const headers = own
    ? mergeHeaders(client.options.headers, options.headers, init.headers)
    : mergeHeaders(init.headers);
  return {
    init: { ...init, headers },
    facts,
    credentials: own ? credentials : () => null,
  };
}

/** Whether a session is on the server of the API. */
function isSameOrigin({ client }: Invocation, uri: string): boolean {
  const root = client.options.rootUrl ?? client.service.rootUrl;
  return new URL(root).origin === new URL(uri).origin;
}

/**
 * Bytes that the server has: `Range: bytes=0-LAST`, none without it.
 *
 * @throws ApiError of kind `decode` for another range.
 */
function confirmedBytes(headers: Headers, facts: ErrorFacts): number {
  const range = headers.get("range");
  if (!range) return 0;
  const last = /^(?:bytes[= ])?0-(\d{1,15})$/.exec(range)?.[1];
  if (last !== undefined) return Number(last) + 1;
  throw new ApiError("a range of the upload makes no sense", {
    ...facts,
    kind: "decode",
  });
}
