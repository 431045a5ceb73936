/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Settings of an API: its URLs and encodings. Generated once per API from the
 * top-level fields of the document.
 */
export interface Service {
  /** Absolute URL of the server (document field `rootUrl`). */
  readonly rootUrl: string;
  /** Path of the methods below `rootUrl`; may be empty (`servicePath`). */
  readonly servicePath: string;
  /** Path of the batch endpoint below `rootUrl` (`batchPath`). */
  readonly batchPath?: string;
  /** Maximum number of calls in a batch. Default: 100. */
  readonly batchSize?: number;
  /**
   * Encodes the value of a `{+variable}` in a path: `keepReserved`, for APIs
   * without `fullyEncodeReservedExpansion`. Default: encodes all characters
   * except unreserved characters and `/`.
   */
  readonly keepReserved?: (text: string) => string;
  /**
   * Envelope of every JSON body, if `features` of the document contains
   * `dataWrapper`.
   */
  readonly wrap?: Wrap;
  /**
   * `rootUrl` for clients that present a certificate (`mtlsRootUrl`). Default:
   * `rootUrl` with `mtls.` before `googleapis.com`.
   */
  readonly mtlsRootUrl?: string;
  /** Root URLs by location (`endpoints`). */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** Envelope that an API puts around its request and response bodies. */
export interface Wrap {
  /** Puts a request body into the envelope. */
  encode(body: unknown): unknown;
  /** Takes a response body out of the envelope. */
  decode(body: unknown): unknown;
}

/**
 * Returns the value of a template variable; `undefined` if the variable has no
 * value.
 */
export type Lookup = (name: string) => unknown;

/** Expands the path template of a method. */
export type Expand = (
  template: string,
  lookup: Lookup,
  service: Service,
) => string;
