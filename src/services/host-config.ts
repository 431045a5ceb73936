import { ConfigError } from "./service.js";
import { Settings } from "./settings.js";

/** Settings of the host, shared by all services. */
export interface HostConfig {
  /**
   * Host names accepted in the `Host` header in addition to loopback names;
   * undefined if not configured.
   */
  readonly names: readonly string[] | undefined;
  /**
   * Hosts of the services' configured `origin` URLs, which are also accepted in
   * the `Host` header.
   */
  readonly origins: readonly string[];
  /** Milliseconds allowed for requests in flight when the server stops. */
  readonly grace: number;
  /** Milliseconds for which an idle connection is kept open. */
  readonly keepAlive: number;
  /** Milliseconds without data after which a connection is closed. */
  readonly silence: number;
}

/** Default settings of the host. */
export const DEFAULT_HOST_CONFIG: HostConfig = {
  names: undefined,
  origins: [],
  grace: 10_000,
  keepAlive: 5_000,
  silence: 900_000,
};

/** Maximum value of the time settings in milliseconds: one day. */
const MAX_TIME = 86_400_000;

/**
 * Reads and validates the settings of the host.
 *
 * @throws ConfigError for an unknown setting or an invalid value
 */
export function readHostConfig(value: unknown): HostConfig {
  const settings = new Settings(value);
  const config: HostConfig = {
    names: settings.texts("names"),
    origins: [],
    grace: settings.integer("grace", 0, MAX_TIME) ?? DEFAULT_HOST_CONFIG.grace,
    keepAlive:
      settings.integer("keepAlive", 0, MAX_TIME) ??
      DEFAULT_HOST_CONFIG.keepAlive,
    silence:
      settings.integer("silence", 1, MAX_TIME) ?? DEFAULT_HOST_CONFIG.silence,
  };
  settings.done();
  for (const [index, name] of (config.names ?? []).entries())
    if (!/^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])$/i.test(name))
      throw new ConfigError(
        `/names/${index}`,
        "names must be host names without scheme or port, such as api.example.com",
      );
  return config;
}
