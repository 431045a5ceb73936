import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../../../generated/runtime/server/index.js";
import { ConfigError } from "../service.js";
import { readLimits, type KeyLimits } from "./key-buckets.js";
import { ConfigReader } from "../config-reader.js";

/**
 * Maximum number of API keys in a config. The number is limited because the
 * token of each request is compared with all keys.
 */
const MAX_KEYS = 1000;

/** API key with its permissions. Only a hash of the key is stored in memory. */
export interface Key {
  /** Name of the API key in the log. */
  readonly name: string;
  /** SHA-256. */
  readonly hash: Uint8Array;
  /** Names of the allowed models; undefined if all models are allowed. */
  readonly models: ReadonlySet<string> | undefined;
  readonly limits: KeyLimits;
}

/** Part of error messages. It explains how API keys are configured. */
const KEY_HELP =
  'use key: sha256:HASH, in which HASH is the output of printf %s "$KEY" | sha256sum, or env: NAME, in which NAME is an environment variable that contains the key';

/**
 * Reads the member `keys` of the config.
 *
 * @param models names of the models to which keys can be restricted
 */
export function readKeys(
  config: ConfigReader,
  models: readonly string[],
): readonly Key[] {
  const list = config.list("keys");
  if (list === undefined || list.length === 0)
    throw config.error("keys", `must have at least one key: ${KEY_HELP}`);
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
): Key {
  const reader = new ConfigReader(value, pointer, [
    "name",
    "key",
    "env",
    "models",
    "limits",
  ]);
  const name = reader.text("name");
  if (name === undefined)
    throw reader.error(
      "name",
      "is required, because it identifies the key in the log",
    );
  return {
    name,
    hash: readHash(reader),
    models: readAllowedModels(reader, models),
    limits: readLimits(reader),
  };
}

function readHash(reader: ConfigReader): Uint8Array {
  const key = reader.text("key");
  const variable = reader.text("env");
  if ((key === undefined) === (variable === undefined))
    throw reader.error(
      "key",
      `must be set unless env is set; key and env can't be used together: ${KEY_HELP}`,
    );
  if (variable !== undefined)
    return hashOf(readSecret(variable, reader, "env"));
  const hex = /^sha256:([0-9a-f]{64})$/i.exec(key!)?.[1];
  if (hex === undefined)
    throw reader.error(
      "key",
      `must be a hash, not the key itself: ${KEY_HELP}`,
    );
  return Buffer.from(hex, "hex");
}

/**
 * Reads a secret from an environment variable.
 *
 * @throws ConfigError if the variable is not set or does not contain a valid
 *   key
 */
export function readSecret(
  variable: string,
  reader: ConfigReader,
  member: string,
): string {
  const secret = process.env[variable]?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  const problem =
    secret === ""
      ? "is not set"
      : "contains characters that are not allowed in keys";
  throw reader.error(
    member,
    `refers to the environment variable ${JSON.stringify(variable.slice(0, 100))}, which ${problem}`,
  );
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

function checkDuplicateKeys(keys: readonly Key[], config: ConfigReader): void {
  const seen = new Set<string>();
  for (const [index, { hash }] of keys.entries()) {
    const text = Buffer.from(hash).toString("hex");
    if (seen.has(text))
      throw new ConfigError(
        `${config.pointerOf("keys")}/${index}`,
        "the key is a duplicate of an earlier key",
      );
    seen.add(text);
  }
}

function hashOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret, "utf8").digest();
}

/**
 * Returns the API key that matches a token. The hash of the token is always
 * compared with the hashes of all keys, so that the response time does not
 * reveal which key matches.
 *
 * @throws ApiError 401 if no key matches
 */
export function authenticateKey(token: string, keys: readonly Key[]): Key {
  const hash = hashOf(token);
  let match: Key | undefined;
  for (const key of keys) if (timingSafeEqual(hash, key.hash)) match = key;
  if (match !== undefined) return match;
  throw new ApiError(401, "Incorrect API key provided.", {
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
