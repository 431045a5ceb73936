// The public types refer to this file, so it needs no types of Node.js.

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

/**
 * Request headers, keyed by host (`api.example.com` or `api.example.com:8443`)
 * and header name. They are sent over https only; the key of a server without
 * https is `http://localhost:8080`. The value `env:GEN_NAME` is replaced with
 * the value of an environment variable, whose name must begin with `GEN_`. A
 * scheme can precede it: `Bearer env:GEN_TOKEN`.
 */
export type HostHeaders = Readonly<
  Record<string, Readonly<Record<string, string>>>
>;
