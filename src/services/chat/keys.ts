import { ApiError } from "../../../generated/runtime/server/index.js";
import { definedMembers } from "../../platform/defined-members.js";
import { ConfigReader, readSecret } from "../config-reader.js";
import { entryWithHash, hashIn, hashOf, idOfHash } from "../key-hash.js";
import { type AdminError, ConfigError } from "../service.js";
import type { StoreReader } from "../store/store.js";
import {
  checkName,
  checkOwner,
  COUNT_BOUNDS,
  findKey,
  KEY_PREFIX,
  type Budgets,
  type KeyRecord,
  type RateLimits,
} from "./stored-keys.js";

/**
 * Maximum number of API keys in a config. The number is limited because the
 * token of each request is compared with all keys.
 */
const MAX_KEYS = 1000;

/** API key of a caller with its permissions. */
export interface Key {
  /** Start of the key's hash, which identifies the key in usage records. */
  readonly id: string;
  /** Name of the API key in the log. */
  readonly name: string;
  /** Owner to whom usage is attributed; empty for a key without an owner. */
  readonly owner: string;
  /** Names of the allowed models; undefined if all models are allowed. */
  readonly models: ReadonlySet<string> | undefined;
  readonly limits: RateLimits;
  readonly budgets: Budgets;
}

/** API key in the config. Only a hash of the key is stored in memory. */
export interface ConfiguredKey extends Key {
  /** SHA-256. */
  readonly hash: Uint8Array;
}

/** Part of error messages. It explains how API keys are configured. */
const KEY_HELP =
  'use key: sha256:HASH, in which HASH is the output of printf %s "$KEY" | sha256sum, or env: NAME, in which NAME is an environment variable that contains the key';

/**
 * Reads the member `keys` of the config. It is absent if all keys are in the
 * store.
 *
 * @param models names of the models to which keys can be restricted
 */
export function readKeys(
  config: ConfigReader,
  models: readonly string[],
): readonly ConfiguredKey[] {
  const list = config.list("keys");
  if (list === undefined) return [];
  if (list.length === 0)
    throw config.error(
      "keys",
      `must have at least one key, or be absent if all keys are in the store: ${KEY_HELP}`,
    );
  if (list.length > MAX_KEYS)
    throw config.error("keys", `must have at most ${MAX_KEYS} keys`);
  const keys = list.map((row, index) =>
    readKey(row, `${config.pointerOf("keys")}/${index}`, models),
  );
  checkDuplicateKeys(keys, config);
  return keys;
}

function readKey(
  value: unknown,
  pointer: string,
  models: readonly string[],
): ConfiguredKey {
  const reader = new ConfigReader(value, pointer, [
    "name",
    "key",
    "env",
    "owner",
    "models",
    "limits",
    "budgets",
  ]);
  const name = reader.text("name");
  if (name === undefined)
    throw reader.error(
      "name",
      "is required, because it identifies the key in the log",
    );
  const hash = readHash(reader);
  return {
    id: idOfHash(hash),
    hash: Buffer.from(hash, "hex"),
    name: checkedText(reader, "name", name, checkName),
    owner: checkedText(reader, "owner", reader.text("owner") ?? "", checkOwner),
    models: readAllowedModels(reader, models),
    limits: readCounts(reader, "limits", [
      "requestsPerMinute",
      "tokensPerMinute",
    ]),
    budgets: readCounts(reader, "budgets", ["tokensPerDay", "tokensPerMonth"]),
  };
}

/** Returns a text that can be stored with usage; an empty text is absent. */
function checkedText(
  reader: ConfigReader,
  member: string,
  text: string,
  check: (text: string) => string,
): string {
  try {
    return text === "" ? "" : check(text);
  } catch (error) {
    throw new ConfigError(
      reader.pointerOf(member),
      (error as AdminError).message,
    );
  }
}

/** Reads the member `limits` or `budgets` of an API key. */
function readCounts<Name extends string>(
  key: ConfigReader,
  member: keyof typeof COUNT_BOUNDS,
  names: readonly Name[],
): { readonly [Member in Name]?: number } {
  if (!key.has(member)) return {};
  const reader = new ConfigReader(
    key.get(member),
    key.pointerOf(member),
    names,
  );
  const counts = names.map(
    (name) => [name, reader.integer(name, COUNT_BOUNDS[member])] as const,
  );
  return definedMembers(Object.fromEntries(counts)) as {
    readonly [Member in Name]?: number;
  };
}

function readHash(reader: ConfigReader): string {
  const key = reader.text("key");
  const variable = reader.text("env");
  if ((key === undefined) === (variable === undefined))
    throw reader.error(
      "key",
      `must be set unless env is set; key and env can't be used together: ${KEY_HELP}`,
    );
  if (variable !== undefined)
    return hashOf(readSecret(variable, reader, "env"));
  const hash = hashIn(key!);
  if (hash !== undefined) return hash;
  throw reader.error("key", `must be a hash, not the key itself: ${KEY_HELP}`);
}

function readAllowedModels(
  reader: ConfigReader,
  known: readonly string[],
): ReadonlySet<string> | undefined {
  const names = reader.texts("models");
  for (const [index, name] of names?.entries() ?? [])
    if (!known.includes(name))
      throw new ConfigError(
        `${reader.pointerOf("models")}/${index}`,
        `unknown model ${JSON.stringify(name.slice(0, 100))}; models: ${known.join(", ")}`,
      );
  return names && new Set(names);
}

function checkDuplicateKeys(
  keys: readonly ConfiguredKey[],
  config: ConfigReader,
): void {
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    const hash = Buffer.from(key.hash).toString("hex");
    if (seen.has(hash))
      throw new ConfigError(
        `${config.pointerOf("keys")}/${index}`,
        "the key is a duplicate of an earlier key",
      );
    seen.add(hash);
  }
}

/**
 * Returns the API key that matches a token, from the config or the store. The
 * store is read for each request, so a change of a key applies to the next
 * request of every process. The read costs little compared with a completion.
 *
 * @param now milliseconds since 1970
 * @throws ApiError 401 if no key matches, or the key is expired or revoked
 */
export async function authenticateKey(
  token: string,
  keys: readonly ConfiguredKey[],
  store: StoreReader,
  now: number,
): Promise<Key> {
  const hash = hashOf(token);
  const configured = entryWithHash(hash, keys);
  if (configured !== undefined) return configured;
  const record = token.startsWith(KEY_PREFIX)
    ? await findKey(store, hash)
    : undefined;
  if (record === undefined)
    throw unauthenticated("Incorrect API key provided.");
  return keyOf(record, now);
}

/** @throws ApiError 401 if the key is expired or revoked */
function keyOf(record: KeyRecord, now: number): Key {
  const { models, expires, revoked, ...key } = record;
  if (revoked !== undefined)
    throw unauthenticated("The API key has been revoked.");
  if (expires !== undefined && Date.parse(expires) <= now)
    throw unauthenticated("The API key has expired.");
  return { ...key, models: models && new Set(models) };
}

function unauthenticated(message: string): ApiError {
  return new ApiError(401, message, {
    headers: { "www-authenticate": "Bearer" },
  });
}

/** @throws ApiError 403 if the API key is not allowed to use the model */
export function checkModelAccess({ models }: Key, model: string): void {
  if (models === undefined || models.has(model)) return;
  const message = "The API key is not allowed to use this model.";
  throw new ApiError(403, message, {
    code: "model_not_allowed",
    problems: [{ message, location: "model" }],
  });
}
