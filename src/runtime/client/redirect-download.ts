import type { RedirectCall } from "./call-types.js";
import type { CallResult, Client, Feature, Invocation } from "./contract.js";
import { NO_CREDENTIALS } from "./credential.js";
import { isApiError, type ApiError } from "./error.js";
import { execute } from "./execute.js";
import { CROSS_ORIGIN_HEADERS, pickHeaders } from "./follow-redirects.js";
import { readMedia } from "./media.js";
import type { ApiRequest } from "./request.js";

export type { RedirectCall } from "./call-types.js";

/** Maximum number of redirects of one call. */
const MAX_REDIRECTS = 5;

/**
 * Returns the `Feature` for a method whose response redirects to content
 * (`x-status` 3xx in the API description): the call resolves to the content.
 * Credentials are sent only to the origin of the API.
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
  const readBlob = (own: Invocation): Promise<CallResult<unknown>> =>
    execute(own, (response) => response.blob());
  return { ...members, start: (run = readBlob) => start(run) };
};

/**
 * Returns a copy of the client with a different `send` function. The settings
 * are copied explicitly, because they are not enumerable.
 */
function withSend(client: Client, send: Client["send"]): Client {
  return { ...client, options: client.options, send };
}

/** Sends a request and follows its redirects. */
async function sendFollowing(
  client: Client,
  request: ApiRequest,
  call: Invocation,
): Promise<Response> {
  // The call is sent like a media download, because the size limit for
  // responses does not apply to media.
  const parameters = { ...call.parameters, alt: "media" };
  // `context.url` is reset, because an earlier attempt may have set it to the URL
  // of a redirect.
  request.context.url = request.url.replace(/\?[^]*/, "");
  for (let remaining = MAX_REDIRECTS; ; remaining--) {
    try {
      return await client.send(unfollowed(request), { ...call, parameters });
    } catch (error) {
      if (isHidden(error))
        return client.send(
          {
            ...request,
            init: {
              ...request.init,
              redirect: "follow",
              headers: pickHeaders(request.init.headers, CROSS_ORIGIN_HEADERS),
            },
          },
          { ...call, parameters },
        );
      const target = targetOf(error, request);
      if (!target || !remaining) throw error;
      request = requestTo(target, request);
    }
  }
}

/**
 * Sends a request without following redirects. A redirect is returned as a
 * response instead of being thrown as an error.
 */
async function sendUnfollowed(
  client: Client,
  request: ApiRequest,
  call: Invocation,
): Promise<Response> {
  try {
    return await client.send(unfollowed(request), call);
  } catch (error) {
    if (!targetOf(error, request)) throw error;
    const { status, headers } = error as ApiError;
    return new Response(null, { status: status!, headers: headers! });
  }
}

function unfollowed(request: ApiRequest): ApiRequest {
  return { ...request, init: { ...request.init, redirect: "manual" } };
}

/**
 * Tests whether an error was caused by a redirect that the platform hides
 * (status 0), as browsers do.
 */
function isHidden(error: unknown): boolean {
  return isApiError(error) && error.kind === "http" && error.status === 0;
}

/**
 * Returns the target URL if an error is a redirect response to a GET or HEAD
 * request (RFC 9110 §15.4); `undefined` for any other error and for a redirect
 * from https to http.
 */
function targetOf(error: unknown, { url, init }: ApiRequest): URL | undefined {
  if (!isApiError(error) || error.kind !== "http") return undefined;
  const location = error.headers?.get("location");
  const isRedirect = /^30[12378]$/.test(String(error.status));
  if (!location || !isRedirect || !/^(GET|HEAD)$/.test(init.method))
    return undefined;
  // The query of the base URL is removed, because error messages of the
  // platform contain the URL.
  const target = new URL(location, url.replace(/\?[^]*/, ""));
  const isSafe = target.protocol === "https:" || !url.startsWith("https:");
  return isSafe ? target : undefined;
}

/**
 * Returns the request for the target of a redirect. Credentials are removed if
 * the target has a different origin.
 */
function requestTo(target: URL, request: ApiRequest): ApiRequest {
  const { context, init, url } = request;
  context.url = target.origin + target.pathname;
  const next = { ...request, url: target.href };
  if (target.origin === new URL(url).origin) return next;
  const headers = pickHeaders(init.headers, CROSS_ORIGIN_HEADERS);
  return { ...next, init: { ...init, headers }, credentials: NO_CREDENTIALS };
}
