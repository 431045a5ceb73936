import { ConfigError } from "./service.js";
import { Settings } from "./settings.js";

/** Settings of the host, which all services share. */
export interface HostConfig {
  /** Hosts that callers may name besides those of loopback; undefined where nothing is said. */
  readonly names: readonly string[] | undefined;
  /** Hosts of the services' own origins, which callers may name as well. */
  readonly origins: readonly string[];
  /** Milliseconds that requests in flight may take when the server ends. */
  readonly grace: number;
  /** Milliseconds that a connection is kept open between requests. */
  readonly keepAlive: number;
  /** Milliseconds after which a connection without a byte is closed. */
  readonly silence: number;
}

/** Defaults of the host. */
export const HOST: HostConfig = {
  names: undefined,
  origins: [],
  grace: 10_000,
  keepAlive: 5_000,
  silence: 900_000,
};

/** Most milliseconds of a time: a day. */
const MOST = 86_400_000;

/** @throws ConfigError for what is not a setting, or has a wrong value */
export function readHostConfig(value: unknown): HostConfig {
  const settings = new Settings(value);
  const config: HostConfig = {
    names: settings.texts("names"),
    origins: [],
    grace: settings.integer("grace", 0, MOST) ?? HOST.grace,
    keepAlive: settings.integer("keepAlive", 0, MOST) ?? HOST.keepAlive,
    silence: settings.integer("silence", 1, MOST) ?? HOST.silence,
  };
  settings.done();
  for (const [index, name] of (config.names ?? []).entries())
    if (!/^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])$/i.test(name))
      throw new ConfigError(
        `/names/${index}`,
        "names must be hosts without scheme and port, such as api.example.com",
      );
  return config;
}
