import { secretIn } from "./keys.js";
import { Place } from "./config-reader.js";

/** A service that speaks the same protocol, and how it is asked. */
export interface UpstreamConfig {
  /** Of `chat/completions`. */
  readonly url: string;
  readonly key: string | undefined;
  /** Its name of the model, if it is another one. */
  readonly model: string | undefined;
  /** Milliseconds that it may be silent within a stream. */
  readonly timeout: number;
  /** The same for a whole answer, before which a back end says nothing. */
  readonly wholeTimeout: number;
  /** Milliseconds for a whole answer. */
  readonly maxTime: number;
  /** Bytes of a whole answer. */
  readonly maxSize: number;
}

/** Milliseconds for a whole answer where the config does not say. */
const WHOLE = 600_000;

const TIME = { min: 1, max: 3_600_000 };
const SIZE = { min: 1, max: 1024 * 1024 * 1024 };

/** Reads `upstream` of a model; keys come from the environment. */
export function readUpstream(value: unknown, pointer: string): UpstreamConfig {
  const place = new Place(value, pointer, [
    "baseUrl",
    "keyEnv",
    "model",
    "timeout",
    "maxTime",
    "maxSize",
  ]);
  const variable = place.text("keyEnv");
  const timeout = place.whole("timeout", TIME);
  const maxTime = place.whole("maxTime", TIME) ?? Math.max(WHOLE, timeout ?? 0);
  return {
    url: urlIn(place),
    key:
      variable === undefined ? undefined : secretIn(variable, place, "keyEnv"),
    model: place.text("model"),
    timeout: timeout ?? 60_000,
    wholeTimeout: timeout ?? maxTime,
    maxTime,
    maxSize: place.whole("maxSize", SIZE) ?? 64 * 1024 * 1024,
  };
}

function urlIn(place: Place): string {
  const text = place.text("baseUrl");
  if (text === undefined)
    throw place.wrong(
      "baseUrl",
      "is missing: the URL in front of /chat/completions, such as https://api.example.com/v1",
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw place.wrong("baseUrl", "must be a URL of http or https");
  if (url.username !== "" || url.password !== "")
    throw place.wrong("baseUrl", "must not hold a password; use keyEnv");
  if (url.search !== "" || url.hash !== "")
    throw place.wrong("baseUrl", "must not have a query or fragment");
  let path = url.pathname;
  while (path.endsWith("/")) path = path.slice(0, -1);
  return `${url.origin}${path}/chat/completions`;
}
