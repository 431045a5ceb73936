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

/** Options for requests of documents, as plain data. */
export interface RemoteOptions {
  /** URL of the list of APIs. Default: the public directory. */
  readonly directory?: string | undefined;
  /** Uses cached responses only. Default: false. */
  readonly isOffline?: boolean | undefined;
  /** Permits http URLs. Default: false. */
  readonly allowHttp?: boolean | undefined;
  /** Permits addresses of this machine and of private networks. Default: false. */
  readonly allowPrivate?: boolean | undefined;
  /** Headers with credentials, in addition to those of GEN_HEADERS. */
  readonly headers?: HostHeaders | undefined;
}

/** Parts of the environment that tests replace. */
export interface RemoteEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly limits?: Partial<RequestLimits> | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly ca?: string | undefined;
}

/**
 * Returns the settings of requests.
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
