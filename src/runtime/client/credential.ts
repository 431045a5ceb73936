import type { Auth, HeadersProvider } from "./auth.js";
import type { Feature, Invocation } from "./contract.js";
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
interface CredentialSource extends HeadersProvider {
  /** What the caller gave. */
  readonly original: Auth | undefined;
  /** The same, but not out of a cache. */
  renewed(): CredentialSource;
}

/**
 * The settings of a client whose credential goes where its API wants it; to
 * the origin that is called and no other.
 */
export function withCredential<O extends BareOptions>(
  options: O,
  rules?: CredentialRules,
): O {
  const { auth } = options;
  if (auth === undefined || auth === "") return options;
  const source = rules ? createSource(auth, rules) : auth;
  return { ...options, auth: source, transport: credentialTransport(options) };
}

/** Sends the credential of some methods in another way, or (no rules) not at all. */
/* @__NO_SIDE_EFFECTS__ */
export function credential(rules?: CredentialRules): Feature {
  return (_, invocation) => {
    const { client } = invocation;
    const { auth } = client.options;
    const given = isSource(auth) ? auth.original : auth;
    const own = rules && given ? createSource(given, rules) : NO_CREDENTIALS;
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
export const NO_CREDENTIALS: HeadersProvider = {
  getRequestHeaders: () => ({}),
};

/** A query parameter on its way to the transport is a header with this mark. */
const QUERY_MARK = "?";

function isSource(auth: Auth | undefined): auth is CredentialSource {
  return typeof auth === "object" && "original" in auth;
}

function createSource(
  given: Auth,
  rules: CredentialRules,
  request: { readonly refresh?: boolean } = {},
): CredentialSource {
  const { name, scheme } = rules;
  return {
    original: given,
    renewed: () => createSource(given, rules, { refresh: true }),
    async getRequestHeaders(url) {
      if (typeof given === "object") return given.getRequestHeaders(url);
      const text = typeof given === "function" ? await given(request) : given;
      if (text == null) return {};
      if (!/^[!-~]+$/.test(text))
        throw new TypeError("the credential is invalid");
      if (rules.in === "query")
        return { [QUERY_MARK + encode(name)]: encode(text) };
      return { [name]: scheme ? `${scheme} ${text}` : text };
    },
  };
}

/** A transport that puts the credential in its place. */
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

/** The caller's own value of the parameter goes first. */
function withParameter(url: string, name: string, value: string): string {
  const [, query = ""] = url.split("?");
  if (query.split("&").some((pair) => pair.startsWith(`${name}=`))) return url;
  return `${url}${query ? "&" : url.includes("?") ? "" : "?"}${name}=${value}`;
}
