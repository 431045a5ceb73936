/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Settings of an API: its URLs and encodings. They are generated from the
 * top-level fields of the document.
 */
export interface Service {
  /** Absolute URL of the server (document field `rootUrl`). */
  readonly rootUrl: string;
  /**
   * Path of the methods relative to `rootUrl`; can be empty (`servicePath`).
   */
  readonly servicePath: string;
  /** Path of the batch endpoint relative to `rootUrl` (`batchPath`). */
  readonly batchPath?: string;
  /** Maximum number of calls in a batch. Default: 100. */
  readonly batchSize?: number;
  /**
   * Function that encodes the value of a `{+variable}` in a path:
   * `keepReserved` for APIs without `fullyEncodeReservedExpansion`. Default:
   * encodes all characters except unreserved characters and `/`.
   */
  readonly keepReserved?: (text: string) => string;
  /**
   * Envelope of all JSON bodies, if `features` of the document contains
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

/** Envelope of an API's request and response bodies. */
export interface Wrap {
  /** Adds the envelope to a request body. */
  encode(body: unknown): unknown;
  /** Removes the envelope from a response body. */
  decode(body: unknown): unknown;
}

/**
 * Function that returns the value of a template variable; `undefined` if the
 * variable has no value.
 */
export type Lookup = (name: string) => unknown;

/** Function that expands the path template of a method. */
export type Expand = (
  template: string,
  lookup: Lookup,
  service: Service,
) => string;
