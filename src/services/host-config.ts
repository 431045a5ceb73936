import { ConfigError } from "./service.js";
import { ConfigReader, type Bounds } from "./config-reader.js";

/** Settings of the host, shared by all services. */
export interface HostConfig {
  /**
   * Host names that are accepted in the `Host` header in addition to loopback
   * names; undefined if not configured.
   */
  readonly names: readonly string[] | undefined;
  /**
   * Hosts in the `origin` settings of the services, which are also accepted in
   * the `Host` header.
   */
  readonly origins: readonly string[];
  /**
   * Grace period in milliseconds for requests in flight when the server stops.
   */
  readonly grace: number;
  /**
   * Maximum milliseconds during which the server serves further requests with
   * `connection: close` before it stops.
   */
  readonly drain: number;
  /** Maximum number of connections; further connections are closed. */
  readonly connections: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly keepAlive: number;
  /** Milliseconds without data after which a connection is closed. */
  readonly silence: number;
  /**
   * Address of `/healthz`, `/readyz` and `/metrics`; undefined if they are not
   * served.
   */
  readonly operations: OperationsConfig | undefined;
  /** Certificate and key; undefined for HTTP without TLS. */
  readonly tls: TlsConfig | undefined;
}

/** Address of the endpoints for operators. */
export interface OperationsConfig {
  readonly port: number;
  readonly host: string;
}

/** Paths of PEM files. Relative paths start at the working directory. */
export interface TlsConfig {
  /** Certificate, followed by the certificates of intermediate authorities. */
  readonly cert: string;
  /** Private key of the certificate. */
  readonly key: string;
}

/** Default settings of the host. */
export const DEFAULT_HOST_CONFIG: HostConfig = {
  names: undefined,
  origins: [],
  grace: 10_000,
  drain: 1_000,
  connections: 8_000,
  keepAlive: 5_000,
  silence: 900_000,
  operations: undefined,
  tls: undefined,
};

/** Allowed range of time settings in milliseconds. The maximum is one day. */
const TIME: Bounds = { min: 0, max: 86_400_000 };

const KEYS = [
  "names",
  "grace",
  "drain",
  "connections",
  "keepAlive",
  "silence",
  "operations",
  "tls",
];

/**
 * Reads and validates the settings of the host.
 *
 * @throws ConfigError for an unknown setting or an invalid value
 */
export function readHostConfig(value: unknown): HostConfig {
  const reader = new ConfigReader(value ?? {}, "", KEYS);
  const { grace, drain, connections, keepAlive, silence } = DEFAULT_HOST_CONFIG;
  const config: HostConfig = {
    names: reader.texts("names"),
    origins: [],
    grace: reader.integer("grace", TIME) ?? grace,
    drain: reader.integer("drain", TIME) ?? drain,
    connections:
      reader.integer("connections", { min: 1, max: 1_000_000 }) ?? connections,
    keepAlive: reader.integer("keepAlive", TIME) ?? keepAlive,
    silence: reader.integer("silence", { ...TIME, min: 1 }) ?? silence,
    operations: readOperations(reader),
    tls: readTls(reader),
  };
  for (const [index, name] of (config.names ?? []).entries())
    if (!/^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])$/i.test(name))
      throw new ConfigError(
        `/names/${index}`,
        "names must be host names without scheme or port, such as api.example.com",
      );
  return config;
}

/** Port of the endpoints for operators if the config contains no port. */
const OPERATIONS_PORT = 9090;

function readOperations(config: ConfigReader): OperationsConfig | undefined {
  if (!config.has("operations")) return undefined;
  const reader = new ConfigReader(
    config.get("operations"),
    config.pointerOf("operations"),
    ["port", "host"],
  );
  return {
    port: reader.integer("port", { min: 0, max: 65_535 }) ?? OPERATIONS_PORT,
    host: reader.text("host") ?? "127.0.0.1",
  };
}

function readTls(config: ConfigReader): TlsConfig | undefined {
  if (!config.has("tls")) return undefined;
  const reader = new ConfigReader(config.get("tls"), config.pointerOf("tls"), [
    "cert",
    "key",
  ]);
  return { cert: reader.requiredText("cert"), key: reader.requiredText("key") };
}
