import { Settings } from "../settings.js";

/** Settings of the marketplace. */
export interface MarketplaceConfig {
  /** Off: every path answers 404. */
  readonly isEnabled: boolean;
  /** Off: no purchase shows until when it is supported. */
  readonly hasSupport: boolean;
  /** Of one address in this process; without a limit where undefined. */
  readonly requestsPerMinute: number | undefined;
  /** Whether a proxy in front tells the caller's address, as the last one of X-Forwarded-For. */
  readonly trustsProxy: boolean;
}

/** Requests of an address in a minute where the config does not say: ten in a second. */
const REQUESTS = 600;

/** Each process counts for itself: of several ones, each has its share of the limit. */
function limitIn(settings: Settings): number | undefined {
  const limit = settings.integer("requestsPerMinute", 0, 1_000_000) ?? REQUESTS;
  const processes = settings.integer("processes", 1, 1_000) ?? 1;
  return limit === 0 ? undefined : Math.ceil(limit / processes);
}

/** @throws ConfigError for what is no setting, or has a wrong value */
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
