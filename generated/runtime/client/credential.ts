/* eslint-disable */
// biome-ignore-all lint: generated

import { headersOf, type Auth, type HeadersProvider } from "./auth.js";
import type { Feature, Invocation } from "./contract.js";
import { encode } from "./values.js";
import { mergeHeaders, type HeadersLike } from "./headers.js";
import type { BareOptions, Fetch } from "./options.js";

/**
 * Location of the credential in a request, for APIs that do not use the
 * standard `authorization: Bearer` header.
 */
export interface CredentialRules {
  /** Part of the request that contains the credential. Default: `header`. */
  readonly in?: "header" | "query";
  /** Name of the header or query parameter. */
  readonly name: string;
  /**
   * Authentication scheme before the credential in a header, such as `Bearer`.
   */
  readonly scheme?: string;
}

/** Provider of headers that contain the caller's credentials. */
interface CredentialSource extends HeadersProvider {
  /** Credentials that the caller passed to the client or call. */
  readonly original: Auth | undefined;
}

/**
 * Returns client settings that send the credential at the location that the API
 * expects, and only to the origin of the API.
 */
export function withCredential<O extends BareOptions>(
  options: O,
  rules?: CredentialRules,
): O {
  const { auth } = options;
  const source = rules ? createSource(auth, rules) : auth;
  return { ...options, auth: source, transport: credentialTransport(options) };
}

/**
 * Returns the `Feature` that overrides where the credential of a method is sent:
 * in a header or in a query parameter. If `rules` is absent, no credential is
 * sent.
 */
/* @__NO_SIDE_EFFECTS__ */
export function credential(rules?: CredentialRules): Feature {
  return (__, invocation) => {
    const { client } = invocation;
    const { auth } = client.options;
    const original = isSource(auth) ? auth.original : auth;
    const { base: _, ...rest } = client;
    (invocation as { client: Invocation["client"] }).client = {
      ...rest,
      options: {
        ...client.options,
        auth: rules ? createSource(original, rules) : NO_CREDENTIALS,
      },
    };
    return {};
  };
}

/**
 * Empty credentials for an anonymous call. Unlike `undefined`, they override the
 * client's credentials.
 */
export const NO_CREDENTIALS: HeadersProvider = {
  getRequestHeaders: () => ({}),
};

/**
 * Prefix of a header name. It marks a credential that must be sent as a query
 * parameter instead of a header.
 */
export const QUERY_MARK = "?";

function isSource(auth: Auth | undefined): auth is CredentialSource {
  return typeof auth === "object" && "original" in auth;
}

function createSource(
  original: Auth | undefined,
  rules: CredentialRules,
  request: { readonly refresh?: boolean } = {},
): CredentialSource {
  const { name, scheme } = rules;
  return {
    original,
    async renewed() {
      if (!original) return undefined;
      if (typeof original === "object" && "refresh" in original)
        await original.refresh();
      return createSource(original, rules, { refresh: true });
    },
    replaced: (auth) => createSource(auth, rules),
    async getRequestHeaders(url) {
      if (!original) return {};
      if (typeof original === "object") return headersOf(original, url);
      const text =
        typeof original === "function" ? await original(request) : original;
      if (text == null) return {};
      if (!/^[!-~]+$/.test(text))
        throw new TypeError(
          "the credential must be printable ASCII text without spaces",
        );
      if (rules.in === "query")
        return { [QUERY_MARK + encode(name)]: encode(text) };
      return { [name]: scheme ? `${scheme} ${text}` : text };
    },
  };
}

/**
 * Creates a transport that sends headers with the prefix `QUERY_MARK` as query
 * parameters.
 */
function credentialTransport({ transport, fetch: own }: BareOptions): Fetch {
  const chosen = transport ?? own;
  return async (url, init) => {
    const send: Fetch = chosen ?? fetch;
    const headers: Record<string, string> = {
      ...mergeHeaders(init.headers as HeadersLike | undefined),
    };
    for (const name of Object.keys(headers))
      if (name.startsWith(QUERY_MARK)) {
        url = withParameter(url, name.slice(QUERY_MARK.length), headers[name]!);
        delete headers[name];
      }
    return send(url, { ...init, headers });
  };
}

/** Adds a query parameter, unless the URL already contains it. */
function withParameter(url: string, name: string, value: string): string {
  const [, query = ""] = url.split("?");
  if (query.split("&").some((pair) => pair.startsWith(`${name}=`))) return url;
  return `${url}${query ? "&" : url.includes("?") ? "" : "?"}${name}=${value}`;
}
