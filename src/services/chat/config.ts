import type { CorsOptions } from "../../../generated/runtime/server/index.js";
import { ConfigError } from "../service.js";
import type { Backend } from "./backend.js";
import { ECHO_TOKENS, echoBackend } from "./echo.js";
import { readKeys, type ConfiguredKey } from "./keys.js";
import { escapeToken } from "../../diagnostics/types.js";
import { ConfigReader } from "../config-reader.js";
import { MODEL_NAME } from "./stored-keys.js";
import { readRules, readScript } from "./rules.js";
import { scriptedBackend } from "./scripted.js";
import { upstreamBackend } from "./upstream.js";
import { readUpstream, readUpstreams } from "./upstream-config.js";
import { upstreamGroup } from "./upstream-group.js";

/** Model in the config, with its backend. */
export interface ChatModel {
  readonly name: string;
  readonly ownedBy: string;
  /**
   * Creation time in seconds since 1970. If undefined, the start time of the
   * service is used.
   */
  readonly created: number | undefined;
  readonly backend: Backend;
}

/** Limits on the resources that callers can use. */
export interface ServiceLimits {
  /** Maximum size of a request body in bytes. */
  readonly bodySize: number;
  /** Maximum number of concurrent completions. */
  readonly concurrent: number;
  /**
   * Milliseconds after which a stream is aborted if its caller does not read
   * from it.
   */
  readonly stall: number;
  /**
   * Milliseconds without an event after which a keep-alive comment is sent in a
   * stream.
   */
  readonly keepAlive: number;
}

/** Validated config of the chat service. */
export interface ChatConfig {
  readonly keys: readonly ConfiguredKey[];
  readonly models: ReadonlyMap<string, ChatModel>;
  readonly limits: ServiceLimits;
  readonly cors: CorsOptions | undefined;
}

/**
 * Reads and validates the config section of the chat service.
 *
 * @throws ConfigError if the section is invalid
 */
export function readConfig(value: unknown): ChatConfig {
  if (value === undefined || value === null)
    throw new ConfigError(
      "",
      "the chat service requires a config with keys and models",
    );
  const config = new ConfigReader(value, "", [
    "keys",
    "models",
    "limits",
    "cors",
  ]);
  const models = readModels(config);
  return {
    keys: readKeys(config, [...models.keys()]),
    models,
    limits: readServiceLimits(config),
    cors: readCors(config),
  };
}

function readModels(config: ConfigReader): Map<string, ChatModel> {
  const entries = config.entries("models");
  if (entries.length === 0)
    throw config.error(
      "models",
      "must have at least one model, such as test-model: echo",
    );
  return new Map(
    entries.map(([name, value]) => {
      const pointer = `${config.pointerOf("models")}/${escapeToken(name)}`;
      if (!MODEL_NAME.test(name))
        throw new ConfigError(
          pointer,
          "the name of a model must have 1 to 200 visible ASCII characters without spaces",
        );
      return [name, readModel(name, value, pointer)];
    }),
  );
}

const BACKENDS = ["echo", "upstream", "upstreams", "scripted"];

function readModel(name: string, value: unknown, pointer: string): ChatModel {
  const short = typeof value === "string" ? { [value]: {} } : value;
  const reader = new ConfigReader(short, pointer, [
    ...BACKENDS,
    "ownedBy",
    "created",
  ]);
  const present = BACKENDS.filter((backend) => reader.has(backend));
  if (present.length !== 1)
    throw new ConfigError(
      pointer,
      `the model must have exactly one of ${BACKENDS.join(", ")}`,
    );
  return {
    name,
    ownedBy: reader.text("ownedBy") ?? "system",
    created: reader.integer("created", { min: 0, max: 2 ** 40 }),
    backend: readBackend(present[0]!, reader),
  };
}

function readBackend(kind: string, model: ConfigReader): Backend {
  const value = model.get(kind);
  const pointer = model.pointerOf(kind);
  if (kind === "upstream") return upstreamBackend(readUpstream(value, pointer));
  if (kind === "upstreams") return upstreamGroup(readUpstreams(model));
  if (kind === "scripted") return readScripted(value, pointer);
  const reader = new ConfigReader(value, pointer, ["maxTokens"]);
  return echoBackend(
    reader.integer("maxTokens", { min: 1, max: 1_000_000 }) ?? ECHO_TOKENS,
  );
}

function readScripted(value: unknown, pointer: string): Backend {
  const reader = new ConfigReader(value, pointer, ["file", "rules"]);
  const file = reader.text("file");
  if ((file === undefined) !== reader.has("rules"))
    throw new ConfigError(pointer, "scripted must have either file or rules");
  return scriptedBackend(
    file === undefined
      ? readRules(value, pointer)
      : readScript(file, reader.pointerOf("file")),
  );
}

function readServiceLimits(config: ConfigReader): ServiceLimits {
  const reader = new ConfigReader(
    config.get("limits") ?? {},
    config.pointerOf("limits"),
    ["bodySize", "concurrent", "stall", "keepAlive"],
  );
  return {
    bodySize:
      reader.integer("bodySize", { min: 1, max: 256 * 1024 * 1024 }) ??
      10 * 1024 * 1024,
    concurrent:
      reader.integer("concurrent", { min: 1, max: 1_000_000 }) ?? 4096,
    stall: reader.integer("stall", { min: 1, max: 3_600_000 }) ?? 60_000,
    keepAlive:
      reader.integer("keepAlive", { min: 1, max: 3_600_000 }) ?? 15_000,
  };
}

/**
 * Response headers that scripts on web pages may read (CORS). Clients need them
 * for retries.
 */
const EXPOSED = [
  "x-request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
];

function readCors(config: ConfigReader): CorsOptions | undefined {
  if (!config.has("cors")) return undefined;
  const reader = new ConfigReader(
    config.get("cors"),
    config.pointerOf("cors"),
    ["origins"],
  );
  const origins = reader.get("origins") === "*" ? "*" : reader.texts("origins");
  if (origins === undefined)
    throw reader.error("origins", 'must be "*" or a list of origins');
  return { origins, expose: EXPOSED };
}
