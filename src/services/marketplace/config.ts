import { Settings } from "../settings.js";

/** Settings of the marketplace. */
export interface MarketplaceConfig {
  /** Off: every path answers 404. */
  readonly isEnabled: boolean;
  /** Off: no purchase shows until when it is supported. */
  readonly hasSupport: boolean;
  /** Of one address; without a limit where undefined. */
  readonly requestsPerMinute: number | undefined;
  /** Whether a proxy in front tells the caller's address, as the last one of X-Forwarded-For. */
  readonly trustsProxy: boolean;
}

/** @throws ConfigError for what is no setting, or has a wrong value */
export function readConfig(value: unknown): MarketplaceConfig {
  const settings = new Settings(value);
  const config: MarketplaceConfig = {
    isEnabled: settings.boolean("enabled", true),
    hasSupport: settings.boolean("support", true),
    requestsPerMinute: settings.integer("requestsPerMinute", 1, 1_000_000),
    trustsProxy: settings.boolean("trustProxy", false),
  };
  settings.done();
  return config;
}
