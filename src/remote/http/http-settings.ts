import type { LookupFunction } from "node:net";
import type { Code } from "../../diagnostics/catalogue.js";

/** Diagnostic codes of failed requests. */
export type RemoteCode = Extract<Code, `remote-${string}`>;

/** Failure of a request, with its diagnostic code. */
export class RemoteError extends Error {
  readonly code: RemoteCode;
  /** HTTP status, if the failure is a response with an error status. */
  readonly status: number | undefined;

  constructor(code: RemoteCode, message: string, status?: number) {
    super(message);
    this.name = "RemoteError";
    this.code = code;
    this.status = status;
  }
}

/** Temporary failure; the request is retried. */
export class TemporaryError extends RemoteError {}

/** Time and size limits of requests. */
export interface RequestLimits {
  /** Timeout in milliseconds for a request with all its redirects. */
  readonly total: number;
  /** Idle timeout in milliseconds: maximum time without data from the server. */
  readonly idle: number;
  /**
   * Maximum size of a body in bytes; applies before and after decompression.
   */
  readonly size: number;
  /** Delay in milliseconds before each retry of a request. */
  readonly delays: readonly number[];
}

/** Limits for documents. The size of the largest public document is 4 MB. */
export const DEFAULT_LIMITS: RequestLimits = {
  total: 120_000,
  idle: 20_000,
  size: 64 * 1024 * 1024,
  delays: [500, 2_000],
};

export interface HttpSettings {
  /** True to allow http URLs. */
  readonly allowHttp: boolean;
  /** True to allow loopback addresses and addresses in private networks. */
  readonly allowPrivate: boolean;
  /**
   * Returns the configured headers for a URL. The headers contain credentials.
   */
  readonly headersOf: (url: URL) => Readonly<Record<string, string>>;
  /** Credentials that must not occur in messages or documents. */
  readonly secrets: readonly string[];
  /** Environment variables, including the proxy settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly limits: RequestLimits;
  /** Function that resolves host names. Default: the resolver of the system. */
  readonly lookup?: LookupFunction | undefined;
  /**
   * Certificates of trusted certificate authorities. Default: the list that
   * Node.js contains.
   */
  readonly ca?: string | undefined;
}

/** Masks credentials in a string. */
export function redact(
  text: string,
  { secrets }: Pick<HttpSettings, "secrets">,
): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text);
}
