import { Settings } from "../settings.js";

/** Settings of the marketplace. */
export interface MarketplaceConfig {
  /** Enables the API; otherwise every path responds with 404. */
  readonly isEnabled: boolean;
  /** Enables `supported_until` of purchases. */
  readonly hasSupport: boolean;
  /** Limit per client address in this process; undefined means unlimited. */
  readonly requestsPerMinute: number | undefined;
  /** Takes the client address from the last entry of X-Forwarded-For, set by a reverse proxy. */
  readonly trustsProxy: boolean;
}

/** Default limit of requests per address and minute. */
const DEFAULT_REQUESTS = 600;

/** Divides the limit by the number of processes, since each process counts separately. */
function limitIn(settings: Settings): number | undefined {
  const limit =
    settings.integer("requestsPerMinute", 0, 1_000_000) ?? DEFAULT_REQUESTS;
  const processes = settings.integer("processes", 1, 1_000) ?? 1;
  return limit === 0 ? undefined : Math.ceil(limit / processes);
}

/** @throws ConfigError for an unknown setting or an invalid value */
export function readConfig(value: unknown): MarketplaceConfig {
  const settings = new Settings(value);
  const config: MarketplaceConfig = {
    isEnabled: settings.boolean("enabled", true),
    hasSupport: settings.boolean("support", true),
    requestsPerMinute: limitIn(settings),
    trustsProxy: settings.boolean("trustProxy", false),
  };
  settings.done();
  return config;
}
