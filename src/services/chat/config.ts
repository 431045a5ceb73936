import type { CorsOptions } from "../../../generated/runtime/server/index.js";
import { ConfigError } from "../service.js";
import type { Backend } from "./backend.js";
import { ECHO_TOKENS, echoBackend } from "./echo.js";
import { readKeys, type Key } from "./keys.js";
import { escapeToken, Place } from "./config-reader.js";
import { readRules, readScript } from "./rules.js";
import { scriptedBackend } from "./scripted.js";
import { upstreamBackend } from "./upstream.js";
import { readUpstream } from "./upstream-config.js";

/** A model that callers can name. */
export interface Model {
  readonly name: string;
  readonly ownedBy: string;
  /** Seconds since 1970; absent for the service's start. */
  readonly created: number | undefined;
  readonly backend: Backend;
}

/** Bounds of what callers may take up. */
export interface ServiceLimits {
  /** Bytes of a request's body. */
  readonly bodySize: number;
  /** Completions under way. */
  readonly concurrent: number;
  /** Milliseconds for which a caller may read nothing of a stream. */
  readonly stall: number;
  /** Milliseconds of silence in a stream after which a comment is sent. */
  readonly keepAlive: number;
}

/** The config of the chat service, checked. */
export interface ChatConfig {
  readonly keys: readonly Key[];
  readonly models: ReadonlyMap<string, Model>;
  readonly limits: ServiceLimits;
  readonly cors: CorsOptions | undefined;
}

/**
 * Reads the service's part of the config.
 *
 * @throws ConfigError
 */
export function readConfig(value: unknown): ChatConfig {
  if (value === undefined || value === null)
    throw new ConfigError(
      "",
      "the chat service needs a config with keys and models",
    );
  const config = new Place(value, "", ["keys", "models", "limits", "cors"]);
  const models = readModels(config);
  return {
    keys: readKeys(config, [...models.keys()]),
    models,
    limits: readServiceLimits(config),
    cors: readCors(config),
  };
}

const MODEL_NAME = /^[\x21-\x7e]{1,200}$/;

function readModels(config: Place): Map<string, Model> {
  const entries = config.entries("models");
  if (entries.length === 0)
    throw config.wrong(
      "models",
      "needs at least one model, such as test-model: echo",
    );
  return new Map(
    entries.map(([name, value]) => {
      const pointer = `${config.at("models")}/${escapeToken(name)}`;
      if (!MODEL_NAME.test(name))
        throw new ConfigError(
          pointer,
          "a model's name has 1 to 200 visible ASCII characters, and no space",
        );
      return [name, readModel(name, value, pointer)];
    }),
  );
}

const BACKENDS = ["echo", "upstream", "scripted"];

function readModel(name: string, value: unknown, pointer: string): Model {
  const short = typeof value === "string" ? { [value]: {} } : value;
  const place = new Place(short, pointer, [...BACKENDS, "ownedBy", "created"]);
  const named = BACKENDS.filter((one) => place.has(one));
  if (named.length !== 1)
    throw new ConfigError(
      pointer,
      `the model needs one of ${BACKENDS.join(", ")}`,
    );
  return {
    name,
    ownedBy: place.text("ownedBy") ?? "system",
    created: place.whole("created", { min: 0, max: 2 ** 40 }),
    backend: readBackend(named[0]!, place),
  };
}

function readBackend(kind: string, model: Place): Backend {
  const value = model.get(kind);
  const pointer = model.at(kind);
  if (kind === "upstream") return upstreamBackend(readUpstream(value, pointer));
  if (kind === "scripted") return readScripted(value, pointer);
  const place = new Place(value, pointer, ["maxTokens"]);
  return echoBackend(
    place.whole("maxTokens", { min: 1, max: 1_000_000 }) ?? ECHO_TOKENS,
  );
}

function readScripted(value: unknown, pointer: string): Backend {
  const place = new Place(value, pointer, ["file", "rules"]);
  const file = place.text("file");
  if ((file === undefined) !== place.has("rules"))
    throw new ConfigError(
      pointer,
      "scripted needs file or rules, and not both",
    );
  return scriptedBackend(
    file === undefined
      ? readRules(value, pointer)
      : readScript(file, place.at("file")),
  );
}

function readServiceLimits(config: Place): ServiceLimits {
  const place = new Place(config.get("limits") ?? {}, config.at("limits"), [
    "bodySize",
    "concurrent",
    "stall",
    "keepAlive",
  ]);
  return {
    bodySize:
      place.whole("bodySize", { min: 1, max: 256 * 1024 * 1024 }) ??
      10 * 1024 * 1024,
    concurrent: place.whole("concurrent", { min: 1, max: 1_000_000 }) ?? 4096,
    stall: place.whole("stall", { min: 1, max: 3_600_000 }) ?? 60_000,
    keepAlive: place.whole("keepAlive", { min: 1, max: 3_600_000 }) ?? 15_000,
  };
}

/** Headers that pages may see: those by which clients decide when to try again. */
const EXPOSED = [
  "x-request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
];

function readCors(config: Place): CorsOptions | undefined {
  if (!config.has("cors")) return undefined;
  const place = new Place(config.get("cors"), config.at("cors"), ["origins"]);
  const origins = place.get("origins") === "*" ? "*" : place.texts("origins");
  if (origins === undefined)
    throw place.wrong("origins", 'is missing: "*", or a list of origins');
  return { origins, expose: EXPOSED };
}
