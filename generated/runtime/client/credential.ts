/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth, HeadersProvider } from "./auth.js";
import type { Feature, Invocation } from "./call.js";
import { encode } from "./escape.js";
import { mergeHeaders, type HeadersLike } from "./headers.js";
import type { BareOptions, Fetch } from "./options.js";

/** How an API takes the credential of a caller, where it is not a bearer token. */
export interface CredentialRules {
  /** Default: `header`. */
  readonly in?: "header" | "query";
  /** Name of the header or query parameter. */
  readonly name: string;
  /** The word before the credential in a header. */
  readonly scheme?: string;
}

/** A source of credentials that were made into headers. */
interface Source extends HeadersProvider {
  /** What the caller gave. */
  readonly given: Auth | undefined;
  /** The same, but not out of a cache. */
  renewed(): Source;
}

/**
 * The settings of a client whose credential goes where its API wants it; to
 * the origin that is called and no other.
 */
export function credentialed<O extends BareOptions>(
  options: O,
  rules?: CredentialRules,
): O {
  const { auth } = options;
  if (auth === undefined || auth === "") return options;
  const source = rules ? sourceOf(auth, rules) : auth;
  return { ...options, auth: source, transport: carrier(options) };
}

/** Sends the credential of some methods in another way, or (no rules) not at all. */
/* @__NO_SIDE_EFFECTS__ */
export function credential(rules?: CredentialRules): Feature {
  return (_, invocation) => {
    const { client } = invocation;
    const { auth } = client.options;
    const given = isSource(auth) ? auth.given : auth;
    const own = rules && given ? sourceOf(given, rules) : NONE;
    (invocation as { client: Invocation["client"] }).client = {
      ...client,
      options: { ...client.options, auth: own },
      send: (request, call) =>
        client.send(
          { ...request, credentials: request.credentials ?? own },
          call,
        ),
    };
    return {};
  };
}

/** Credentials of those who have none. */
export const NONE: HeadersProvider = { getRequestHeaders: () => ({}) };

/** A query parameter on its way to the transport is a header with this mark. */
const MARK = "?";

function isSource(auth: Auth | undefined): auth is Source {
  return typeof auth == "object" && "given" in auth;
}

function sourceOf(
  given: Auth,
  rules: CredentialRules,
  request: { readonly refresh?: boolean } = {},
): Source {
  const { name, scheme } = rules;
  return {
    given,
    renewed: () => sourceOf(given, rules, { refresh: true }),
    async getRequestHeaders(url) {
      if (typeof given == "object") return given.getRequestHeaders(url);
      const text = typeof given == "function" ? await given(request) : given;
      if (text == null) return {};
      if (!/^[!-~]+$/.test(text))
        throw new TypeError("the credential is invalid");
      if (rules.in == "query") return { [MARK + encode(name)]: encode(text) };
      return { [name]: scheme ? `${scheme} ${text}` : text, [SECRET]: name };
    },
  };
}

/** Names the header that holds a secret; it does not leave. */
const SECRET = "?secret-header";

/** A transport that puts the credential in its place. */
function carrier({ transport, fetch: own }: BareOptions): Fetch {
  const chosen = transport ?? own;
  return async (url, init) => {
    const send: Fetch = chosen ?? fetch;
    const headers: Record<string, string> = {
      ...mergeHeaders(init.headers as HeadersLike | undefined),
    };
    const secret = headers[SECRET]?.toLowerCase();
    delete headers[SECRET];
    for (const name of Object.keys(headers))
      if (name.startsWith(MARK)) {
        url = withParameter(url, name.slice(MARK.length), headers[name]!);
        delete headers[name];
      }
    const request = { ...init, headers };
    if (!secret || secret == "authorization") return send(url, request);
    return guarded(send, url, request, secret);
  };
}

/** The caller's own value of the parameter goes first. */
function withParameter(url: string, name: string, value: string): string {
  const [, query = ""] = url.split("?");
  if (query.split("&").some((pair) => pair.startsWith(`${name}=`))) return url;
  return `${url}${query ? "&" : url.includes("?") ? "" : "?"}${name}=${value}`;
}

/**
 * Platforms take no header but `authorization` and `cookie` away where a
 * redirect leads to another origin, so redirects are followed here, without
 * these and the secret; without the secret where the platform does not say
 * where they lead.
 */
async function guarded(
  send: Fetch,
  url: string,
  init: RequestInit,
  secret: string,
): Promise<Response> {
  const { redirect = "follow", method = "GET" } = init;
  const isFollowed = redirect == "follow" && /^(GET|HEAD)$/.test(method);
  let headers = { ...(init.headers as Record<string, string>) };
  const bare = () => {
    const { [secret]: _, ...rest } = headers;
    return rest;
  };
  for (let left = 5; ; left--) {
    const response = await send(url, { ...init, headers, redirect: "manual" });
    if (!isFollowed) return response;
    if (response.type == "opaqueredirect")
      return send(url, { ...init, headers: bare() });
    const target = targetOf(response, url);
    if (!target) return response;
    await response.body?.cancel();
    if (!left) throw new TypeError("too many redirects");
    if (target.origin != new URL(url).origin) {
      const { authorization: _a, cookie: _c, ...open } = bare();
      headers = open;
    }
    url = target.href;
  }
}

/** Where an answer sends its reader (RFC 9110 §15.4). */
function targetOf({ status, headers }: Response, url: string): URL | undefined {
  const location = headers.get("location");
  const moved = location !== null && /^30[12378]$/.test(String(status));
  return moved ? new URL(location, url) : undefined;
}
