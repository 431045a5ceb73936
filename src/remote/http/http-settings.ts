import type { LookupFunction } from "node:net";

/** Limits of a request. */
export interface RequestLimits {
  /** Milliseconds for a request with all redirects. */
  readonly total: number;
  /** Milliseconds without any data from the server. */
  readonly idle: number;
  /** Maximum size of a body in bytes, before and after decompression. */
  readonly size: number;
  /** Milliseconds to wait before each further attempt. */
  readonly delays: readonly number[];
}

/** Limits for documents; the largest public document has 4 MB. */
export const DEFAULT_LIMITS: RequestLimits = {
  total: 120_000,
  idle: 20_000,
  size: 64 * 1024 * 1024,
  delays: [500, 2_000],
};

/** Settings of HTTP requests. */
export interface HttpSettings {
  /** Permits http URLs. */
  readonly allowHttp: boolean;
  /** Permits loopback addresses and addresses of private networks. */
  readonly allowPrivate: boolean;
  /** Returns the headers with credentials for a URL. */
  readonly headersOf: (url: URL) => Readonly<Record<string, string>>;
  /** Credentials that must not be in messages or documents. */
  readonly secrets: readonly string[];
  /** Environment with the proxy settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly limits: RequestLimits;
  /** Resolves host names instead of the system. */
  readonly lookup?: LookupFunction | undefined;
  /** Certificate authorities to trust instead of the default ones. */
  readonly ca?: string | undefined;
}

/** Replaces credentials in a text. */
export function redact(
  text: string,
  { secrets }: Pick<HttpSettings, "secrets">,
): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text);
}
