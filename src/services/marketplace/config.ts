import { ConfigReader } from "../config-reader.js";

/** Settings of the marketplace service. */
export interface MarketplaceConfig {
  /**
   * True to enable the API. If it is disabled, the response for every path is a
   * 404.
   */
  readonly isEnabled: boolean;
  /** True to include `supported_until` in purchases. */
  readonly hasSupport: boolean;
  /**
   * Maximum number of requests per minute and client address in this process;
   * undefined means no limit.
   */
  readonly requestsPerMinute: number | undefined;
  /**
   * True to use the last entry of X-Forwarded-For as the client address. The
   * header can be trusted only behind a reverse proxy that sets it.
   */
  readonly trustsProxy: boolean;
}

/** Default maximum number of requests per minute and client address. */
const DEFAULT_REQUESTS = 600;

/**
 * Returns the request limit of this process: the configured limit divided by
 * the number of processes, because each process counts separately.
 */
function limitIn(reader: ConfigReader): number | undefined {
  const limit =
    reader.integer("requestsPerMinute", { min: 0, max: 1_000_000 }) ??
    DEFAULT_REQUESTS;
  const processes = reader.integer("processes", { min: 1, max: 1_000 }) ?? 1;
  return limit === 0 ? undefined : Math.ceil(limit / processes);
}

const KEYS = [
  "enabled",
  "support",
  "requestsPerMinute",
  "processes",
  "trustProxy",
];

/** @throws ConfigError for an unknown setting or an invalid value */
export function readConfig(value: unknown): MarketplaceConfig {
  const reader = new ConfigReader(value ?? {}, "", KEYS);
  return {
    isEnabled: reader.flag("enabled") ?? true,
    hasSupport: reader.flag("support") ?? true,
    requestsPerMinute: limitIn(reader),
    trustsProxy: reader.flag("trustProxy") ?? false,
  };
}
