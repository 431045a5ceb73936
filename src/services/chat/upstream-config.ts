import { escapeToken } from "../../diagnostics/types.js";
import { ConfigReader, readSecret } from "../config-reader.js";
import { ConfigError } from "../service.js";

/** Methods that a backend can have. */
export type UpstreamMethod = "completions" | "embeddings";

/**
 * Address and limits of a backend that implements the same API as this service.
 */
export interface UpstreamConfig {
  /** URLs of the backend's methods. */
  readonly urls: Readonly<Record<UpstreamMethod, string>>;
  /** Headers of each request, including those with the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Texts that error messages must not contain: API keys and the host name of
   * the backend.
   */
  readonly secrets: readonly string[];
  /**
   * Name of the model at the backend; undefined if the backend uses the same
   * name.
   */
  readonly model: string | undefined;
  /**
   * True to request the usage of every stream from the backend. Callers that
   * have not requested it do not receive it.
   */
  readonly streamUsage: boolean;
  /** Milliseconds without data after which a stream is aborted. */
  readonly timeout: number;
  /** Milliseconds until the first data of a stream. */
  readonly firstByte: number;
  /**
   * Milliseconds without data after which a non-streamed response is aborted.
   * For such a response, a backend sends no data until the response is
   * complete.
   */
  readonly responseTimeout: number;
  /** Maximum duration of a response in milliseconds. */
  readonly maxTime: number;
  /** Maximum size of a response in bytes. */
  readonly maxSize: number;
}

/** Backend among several of a model. */
export interface GroupedUpstreamConfig extends UpstreamConfig {
  /** Name of the backend in the log. */
  readonly name: string;
  /**
   * Share of the requests, relative to the other backends. With 0, the backend
   * receives requests only if all others are unavailable.
   */
  readonly weight: number;
  readonly breaker: BreakerConfig;
}

/** Settings of a circuit breaker. */
export interface BreakerConfig {
  /** Number of consecutive failures after which requests are paused. */
  readonly failures: number;
  /** Milliseconds until a request tests the backend again. */
  readonly pause: number;
}

/** Default of the setting `maxTime` in milliseconds. */
const DEFAULT_MAX_TIME = 600_000;

const TIME = { min: 1, max: 3_600_000 };
const SIZE = { min: 1, max: 1024 * 1024 * 1024 };

const SETTINGS = [
  "baseUrl",
  "paths",
  "query",
  "headers",
  "keyEnv",
  "model",
  "streamUsage",
  "timeout",
  "firstByte",
  "maxTime",
  "maxSize",
];

/**
 * Reads the member `upstream` of a model from the config. The API key is read
 * from an environment variable.
 */
export function readUpstream(value: unknown, pointer: string): UpstreamConfig {
  return upstreamOf(new ConfigReader(value, pointer, SETTINGS));
}

/** Maximum number of backends of a model. */
const MAX_UPSTREAMS = 32;

/** Reads the member `upstreams` of a model from the config. */
export function readUpstreams(
  model: ConfigReader,
): readonly GroupedUpstreamConfig[] {
  const list = model.list("upstreams") ?? [];
  if (list.length === 0 || list.length > MAX_UPSTREAMS)
    throw model.error(
      "upstreams",
      `must be a list of 1 to ${MAX_UPSTREAMS} back ends, such as - baseUrl: https://api.example.com/v1`,
    );
  const upstreams = list.map((row, index) =>
    readGrouped(row, `${model.pointerOf("upstreams")}/${index}`, index),
  );
  const names = upstreams.map(({ name }) => name);
  const second = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (second !== -1)
    throw new ConfigError(
      `${model.pointerOf("upstreams")}/${second}/name`,
      "name must differ from the names of the other upstreams",
    );
  return upstreams;
}

function readGrouped(
  value: unknown,
  pointer: string,
  index: number,
): GroupedUpstreamConfig {
  const reader = new ConfigReader(value, pointer, [
    ...SETTINGS,
    "name",
    "weight",
    "breaker",
  ]);
  return {
    ...upstreamOf(reader),
    name: reader.text("name") ?? String(index + 1),
    weight: reader.integer("weight", { min: 0, max: 1_000_000 }) ?? 1,
    breaker: readBreaker(reader),
  };
}

function readBreaker(upstream: ConfigReader): BreakerConfig {
  const reader = new ConfigReader(
    upstream.get("breaker") ?? {},
    upstream.pointerOf("breaker"),
    ["failures", "pause"],
  );
  return {
    failures: reader.integer("failures", { min: 1, max: 1_000_000 }) ?? 5,
    pause: reader.integer("pause", TIME) ?? 10_000,
  };
}

function upstreamOf(reader: ConfigReader): UpstreamConfig {
  const variable = reader.text("keyEnv");
  const key =
    variable === undefined ? undefined : readSecret(variable, reader, "keyEnv");
  const headers = readValues(reader, "headers", checkHeader);
  const query = readValues(reader, "query", () => {});
  const timeout = reader.integer("timeout", TIME);
  const maxTime =
    reader.integer("maxTime", TIME) ?? Math.max(DEFAULT_MAX_TIME, timeout ?? 0);
  const base = readUrl(reader);
  return {
    urls: readUrls(reader, base, query.values),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers.values,
    },
    secrets: [
      base.hostname,
      ...(key === undefined ? [] : [key, key.slice(0, 12)]),
      ...headers.secrets,
      ...query.secrets,
    ],
    model: reader.text("model"),
    streamUsage: reader.flag("streamUsage") ?? false,
    timeout: timeout ?? 60_000,
    firstByte: reader.integer("firstByte", TIME) ?? timeout ?? 60_000,
    responseTimeout: timeout ?? maxTime,
    maxTime,
    maxSize: reader.integer("maxSize", SIZE) ?? 64 * 1024 * 1024,
  };
}

function readUrl(reader: ConfigReader): URL {
  const text = reader.text("baseUrl");
  if (text === undefined)
    throw reader.error(
      "baseUrl",
      "is required; use the part of the URL before /chat/completions, such as https://api.example.com/v1",
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw reader.error("baseUrl", "must be an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw reader.error(
      "baseUrl",
      "must not contain a user name or password; use keyEnv for the API key",
    );
  if (url.search !== "" || url.hash !== "")
    throw reader.error(
      "baseUrl",
      "must not have a query or fragment; use query for parameters",
    );
  return url;
}

/** Paths of the methods after the base URL. */
const PATHS: Readonly<Record<UpstreamMethod, string>> = {
  completions: "/chat/completions",
  embeddings: "/embeddings",
};

function readUrls(
  upstream: ConfigReader,
  base: URL,
  query: Readonly<Record<string, string>>,
): Readonly<Record<UpstreamMethod, string>> {
  const reader = new ConfigReader(
    upstream.get("paths") ?? {},
    upstream.pointerOf("paths"),
    Object.keys(PATHS),
  );
  const urlOf = (method: UpstreamMethod): string => {
    const path = reader.text(method) ?? PATHS[method];
    if (!/^\/[^?#\\\s]*$/.test(path))
      throw reader.error(
        method,
        `must start with a slash and have no query, such as ${PATHS[method]}`,
      );
    let prefix = base.pathname;
    while (prefix.endsWith("/")) prefix = prefix.slice(0, -1);
    const url = new URL(base);
    url.pathname = prefix + path;
    for (const [name, value] of Object.entries(query))
      url.searchParams.set(name, value);
    return url.href;
  };
  return { completions: urlOf("completions"), embeddings: urlOf("embeddings") };
}

/** Headers that this service sets, or that describe the connection. */
const RESERVED = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function checkHeader(name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
    throw new Error("the name is not the name of a header");
  if (RESERVED.has(name.toLowerCase()))
    throw new Error("this header is set by the service");
  if (!/^[\x20-\x7e\t]*$/.test(value))
    throw new Error("the value must contain only visible ASCII characters");
}

/** Values of headers or query parameters. */
interface UpstreamValues {
  readonly values: Readonly<Record<string, string>>;
  /** Values from environment variables. */
  readonly secrets: readonly string[];
}

/**
 * Reads values by name: a string, or `{ env: NAME }` for the value of an
 * environment variable.
 */
function readValues(
  upstream: ConfigReader,
  member: "headers" | "query",
  check: (name: string, value: string) => void,
): UpstreamValues {
  const secrets: string[] = [];
  const values = upstream.entries(member).map(([name, value]) => {
    const pointer = `${upstream.pointerOf(member)}/${escapeToken(name)}`;
    const text = readValue(value, pointer, secrets);
    try {
      check(name, text);
    } catch (error) {
      throw new ConfigError(pointer, (error as Error).message);
    }
    return [member === "headers" ? name.toLowerCase() : name, text] as const;
  });
  return { values: Object.fromEntries(values), secrets };
}

function readValue(value: unknown, pointer: string, secrets: string[]): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ConfigError(
      pointer,
      "the value must be a string, or env: NAME, in which NAME is an environment variable that contains the value",
    );
  const reader = new ConfigReader(value, pointer, ["env"]);
  const variable = reader.text("env");
  if (variable === undefined) throw reader.error("env", "is required");
  const secret = readSecret(variable, reader, "env");
  secrets.push(secret);
  return secret;
}
