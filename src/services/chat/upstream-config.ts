import { readSecret } from "./keys.js";
import { ConfigReader } from "../config-reader.js";

/**
 * Address and limits of a backend that implements the same API as this service.
 */
export interface UpstreamConfig {
  /** URL of the backend's `chat/completions` method. */
  readonly url: string;
  readonly key: string | undefined;
  /**
   * Name of the model at the backend; undefined if the backend uses the same
   * name.
   */
  readonly model: string | undefined;
  /** Milliseconds without data after which a stream is aborted. */
  readonly timeout: number;
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

/** Default of the setting `maxTime` in milliseconds. */
const DEFAULT_MAX_TIME = 600_000;

const TIME = { min: 1, max: 3_600_000 };
const SIZE = { min: 1, max: 1024 * 1024 * 1024 };

/**
 * Reads the member `upstream` of a model from the config. The API key is read
 * from an environment variable.
 */
export function readUpstream(value: unknown, pointer: string): UpstreamConfig {
  const reader = new ConfigReader(value, pointer, [
    "baseUrl",
    "keyEnv",
    "model",
    "timeout",
    "maxTime",
    "maxSize",
  ]);
  const variable = reader.text("keyEnv");
  const timeout = reader.integer("timeout", TIME);
  const maxTime =
    reader.integer("maxTime", TIME) ?? Math.max(DEFAULT_MAX_TIME, timeout ?? 0);
  return {
    url: readUrl(reader),
    key:
      variable === undefined
        ? undefined
        : readSecret(variable, reader, "keyEnv"),
    model: reader.text("model"),
    timeout: timeout ?? 60_000,
    responseTimeout: timeout ?? maxTime,
    maxTime,
    maxSize: reader.integer("maxSize", SIZE) ?? 64 * 1024 * 1024,
  };
}

function readUrl(reader: ConfigReader): string {
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
    throw reader.error("baseUrl", "must not have a query or fragment");
  let path = url.pathname;
  while (path.endsWith("/")) path = path.slice(0, -1);
  return `${url.origin}${path}/chat/completions`;
}
