/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client } from "./contract.js";
import { mergeHeaders } from "./headers.js";
import type { ClientOptions } from "./options.js";
import { hideOptions, withAuth } from "./send.js";

/** Names of options that a derived client shares with its client. */
const FIXED = [
  "fetch",
  "location",
  "mtls",
  "rootUrl",
  "transport",
  "universeDomain",
] as const;

/**
 * Options of a derived client: all options of the client except those that
 * determine the endpoint and the transport.
 *
 * @typeParam O options of the client.
 */
export type DerivedOptions<O = ClientOptions> = Omit<O, (typeof FIXED)[number]>;

/** Client object from which other clients can be derived. */
export interface Derivable<O> {
  /**
   * Returns a client with other options, such as the credentials of a tenant,
   * on the same transport. Headers, parameters and retry settings are added to
   * those of this client, interceptors are nested inside, and other options
   * replace those of this client. Options that are `undefined` have no effect.
   *
   * @throws TypeError for an invalid header, and for an option that determines
   *   the endpoint or the transport.
   */
  with(options: DerivedOptions<O>): this;
}

/**
 * Returns a client with other options, for the flat functions; see
 * {@link Derivable.with}. A bare client ignores options that it does not have.
 *
 * @throws TypeError for an invalid header, and for an option that determines the
 *   endpoint or the transport.
 */
export function withOptions(client: Client, changes: DerivedOptions): Client {
  const entries = Object.entries(changes).filter(([, value]) => value != null);
  const given: DerivedOptions = Object.fromEntries(entries);
  const fixed = FIXED.find((name) => Object.hasOwn(given, name));
  if (fixed)
    throw new TypeError(`${fixed} can't be changed: create another client`);
  const { auth, headers, interceptors, parameters, quotaProject, retry } =
    given;
  const { options } = withAuth(client, auth);
  return hideOptions(
    {
      ...options,
      ...given,
      auth: options.auth,
      headers: mergeHeaders(
        options.headers,
        { "x-goog-user-project": quotaProject },
        headers,
      ),
      interceptors: [...(options.interceptors ?? []), ...(interceptors ?? [])],
      parameters: { ...options.parameters, ...parameters },
      retry: retry ? { ...options.retry, ...retry } : (retry ?? options.retry),
    },
    { ...client },
  );
}
