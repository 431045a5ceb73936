import type { LookupFunction } from "node:net";
import {
  DEFAULT_LIMITS,
  type HttpSettings,
  type RequestLimits,
} from "./http/http-settings.js";
import {
  parseHeaders,
  resolveHeaders,
  type HostHeaders,
} from "./host-headers.js";

/** Options for fetching documents. They contain only plain data. */
export interface RemoteOptions {
  /** URL of the list of APIs in a directory. Default: the public directory. */
  readonly directory?: string | undefined;
  /** True to use only cached responses. Default: false. */
  readonly isOffline?: boolean | undefined;
  /** True to allow http URLs. Default: false. */
  readonly allowHttp?: boolean | undefined;
  /**
   * True to allow addresses of the local machine and of private networks.
   * Default: false.
   */
  readonly allowPrivate?: boolean | undefined;
  /** Headers with credentials, in addition to those in GEN_HEADERS. */
  readonly headers?: HostHeaders | undefined;
}

/** Network functions and environment variables, which tests replace. */
export interface RemoteEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly limits?: Partial<RequestLimits> | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly ca?: string | undefined;
}

/**
 * Returns the HTTP settings for the given options.
 *
 * @throws RemoteError if a header setting is invalid
 */
export function httpSettings(
  options: RemoteOptions,
  { env, limits, lookup, ca }: RemoteEnvironment,
): HttpSettings {
  const { allowHttp = false, allowPrivate = false, headers = {} } = options;
  const { headersOf, secrets } = resolveHeaders(
    { ...headers, ...parseHeaders(env["GEN_HEADERS"]) },
    env,
  );
  return {
    allowHttp,
    allowPrivate,
    headersOf,
    secrets,
    env,
    limits: { ...DEFAULT_LIMITS, ...limits },
    lookup,
    ca,
  };
}
