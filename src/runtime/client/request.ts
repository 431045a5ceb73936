import type { Auth } from "./auth.js";
import type { ErrorContext } from "./error.js";
import type { PlainHeaders } from "./headers.js";

/** Encoded request without credentials. */
export interface ApiRequest {
  /** Absolute URL, including the query. */
  readonly url: string;
  /**
   * Options for `fetch`, including the headers of the method and of the caller.
   */
  readonly init: Omit<RequestInit, "method" | "headers" | "signal"> & {
    readonly method: string;
    readonly headers: PlainHeaders;
    readonly signal: AbortSignal | null;
  };
  /**
   * Properties of the call's error if the call fails. They are updated while
   * the call is in flight.
   */
  readonly context: ErrorContext;
  /** Credentials that replace the client's credentials. */
  readonly credentials?: Auth | undefined;
}
