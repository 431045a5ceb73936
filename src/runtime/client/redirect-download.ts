import type { CallResult, Client, Feature, Invocation } from "./contract.js";
import { NO_CREDENTIALS } from "./credential.js";
import { isApiError, type ApiError } from "./error.js";
import { pickHeaders, CROSS_ORIGIN_HEADERS } from "./follow-redirects.js";
import { execute } from "./execute.js";
import type { RedirectCall } from "./call-types.js";
import { readMedia } from "./media.js";
import type { ApiRequest } from "./request.js";

export type { RedirectCall } from "./call-types.js";

/** Redirects that are followed, one after the other. */
const MAX_REDIRECTS = 5;

/**
 * Follows the answer of a method that says where bytes are (`x-status` 3xx):
 * with the credential to the same origin, without it to any other.
 */
export const redirectDownload: Feature = (call, invocation) => {
  const { client } = invocation;
  const { start } = call;
  const follow = (request: ApiRequest, inner: Invocation) =>
    sendFollowing(client, request, inner);
  Object.assign(invocation, { client: withSend(client, follow), media: {} });
  const members: Pick<RedirectCall, "media" | "unfollowed"> = {
    media() {
      call.taken = true;
      return execute(invocation, readMedia, true).then(({ data }) => data);
    },
    unfollowed() {
      call.taken = true;
      const stay: Client["send"] = (request, inner) =>
        sendUnfollowed(client, request, inner);
      const plain = { ...invocation, client: withSend(client, stay) };
      return execute(
        plain,
        async ({ headers }) => headers.get("location") ?? "",
      );
    },
  };
  const bytes = (own: Invocation): Promise<CallResult<unknown>> =>
    execute(own, (response) => response.blob());
  return { ...members, start: (run = bytes) => start(run) };
};

/** Returns the client with another way to send; a copy has no settings. */
function withSend(client: Client, send: Client["send"]): Client {
  return { ...client, options: client.options, send };
}

/** Sends, and sends again to where the answer leads. */
async function sendFollowing(
  client: Client,
  request: ApiRequest,
  call: Invocation,
): Promise<Response> {
  // To the client it is media: bytes without a limit.
  const parameters = { ...call.parameters, alt: "media" };
  // An earlier attempt may have left the URL of a redirect there.
  request.facts.url = request.url.replace(/\?[^]*/, "");
  for (let left = MAX_REDIRECTS; ; left--) {
    try {
      return await client.send(manual(request), { ...call, parameters });
    } catch (error) {
      if (isHidden(error))
        return client.send(visible(request), { ...call, parameters });
      const target = targetOf(error, request);
      if (!target || !left) throw error;
      request = requestTo(request, target);
    }
  }
}

/** The answer that leads elsewhere, as an answer. */
async function sendUnfollowed(
  client: Client,
  request: ApiRequest,
  call: Invocation,
): Promise<Response> {
  try {
    return await client.send(manual(request), call);
  } catch (error) {
    if (!targetOf(error, request)) throw error;
    const { status, headers } = error as ApiError;
    return new Response(null, { status: status!, headers: headers! });
  }
}

function manual(request: ApiRequest): ApiRequest {
  return { ...request, init: { ...request.init, redirect: "manual" } };
}

/** To be followed by the platform, and so without headers but the safe ones. */
function visible(request: ApiRequest): ApiRequest {
  const headers = pickHeaders(request.init.headers, CROSS_ORIGIN_HEADERS);
  return { ...request, init: { ...request.init, headers, redirect: "follow" } };
}

/** Browsers hide where an answer leads; they follow, as safely. */
function isHidden(error: unknown): boolean {
  return isApiError(error) && error.kind === "http" && error.status === 0;
}

/** Where the answer to a GET leads (RFC 9110 §15.4), if not out of https. */
function targetOf(error: unknown, { url, init }: ApiRequest): URL | undefined {
  if (!isApiError(error) || error.kind !== "http") return undefined;
  const location = error.headers?.get("location");
  const isMove = /^30[12378]$/.test(String(error.status));
  if (!location || !isMove || !/^(GET|HEAD)$/.test(init.method))
    return undefined;
  // The platform's error for a bad location holds the base: without its query.
  const target = new URL(location, url.replace(/\?[^]*/, ""));
  const isSafe = target.protocol === "https:" || !url.startsWith("https:");
  return isSafe ? target : undefined;
}

function requestTo(request: ApiRequest, target: URL): ApiRequest {
  const { facts, init, url } = request;
  facts.url = target.origin + target.pathname;
  const next = { ...request, url: target.href };
  if (target.origin === new URL(url).origin) return next;
  const headers = pickHeaders(init.headers, CROSS_ORIGIN_HEADERS);
  return { ...next, init: { ...init, headers }, credentials: NO_CREDENTIALS };
}
