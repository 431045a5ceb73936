import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../../../generated/runtime/server/index.js";
import { ConfigError } from "../service.js";
import { readLimits, type KeyLimits } from "./limits.js";
import { Place } from "./config-reader.js";

/** Keys in a config at most: each request is compared with all of them. */
const MAX_KEYS = 1000;

/** A key as the service has it: its hash, and what its holder may do. */
export interface Key {
  /** Stands in the log. */
  readonly name: string;
  /** SHA-256. */
  readonly hash: Uint8Array;
  /** Models that it may use; absent for all. */
  readonly models: ReadonlySet<string> | undefined;
  readonly limits: KeyLimits;
}

/** How a key's hash is made, for messages. */
const ADVICE =
  'write "sha256:" and the hash, which printf %s "$KEY" | sha256sum prints, or { env: NAME } for a key in an environment variable';

/**
 * Reads `keys` of the config.
 *
 * @param models names that a key's `models` may hold
 */
export function readKeys(
  config: Place,
  models: readonly string[],
): readonly Key[] {
  const list = config.list("keys");
  if (list === undefined || list.length === 0)
    throw config.wrong("keys", `needs at least one key: ${ADVICE}`);
  if (list.length > MAX_KEYS)
    throw config.wrong("keys", `must not hold more than ${MAX_KEYS} keys`);
  const keys = list.map((one, index) =>
    readKey(one, `${config.at("keys")}/${index}`, models),
  );
  refuseTwins(keys, config);
  return keys;
}

function readKey(
  value: unknown,
  pointer: string,
  models: readonly string[],
): Key {
  const place = new Place(value, pointer, [
    "name",
    "key",
    "env",
    "models",
    "limits",
  ]);
  const name = place.text("name");
  if (name === undefined)
    throw place.wrong("name", "is missing: the log needs a name for the key");
  return {
    name,
    hash: hashIn(place),
    models: modelsIn(place, models),
    limits: readLimits(place),
  };
}

function hashIn(place: Place): Uint8Array {
  const key = place.text("key");
  const variable = place.text("env");
  if ((key === undefined) === (variable === undefined))
    throw place.wrong("key", `is needed, or env, but not both: ${ADVICE}`);
  if (variable !== undefined) return hashOf(secretIn(variable, place, "env"));
  const hex = /^sha256:([0-9a-f]{64})$/i.exec(key!)?.[1];
  if (hex === undefined)
    throw place.wrong(
      "key",
      `is no hash; a key must not stand here: ${ADVICE}`,
    );
  return Buffer.from(hex, "hex");
}

/**
 * A secret that an environment variable holds.
 *
 * @throws ConfigError where it holds none
 */
export function secretIn(
  variable: string,
  place: Place,
  member: string,
): string {
  const secret = process.env[variable]?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  const problem =
    secret === "" ? "is not set" : "holds characters that no key has";
  throw place.wrong(
    member,
    `names the environment variable ${JSON.stringify(variable.slice(0, 100))}, which ${problem}`,
  );
}

function modelsIn(
  place: Place,
  known: readonly string[],
): ReadonlySet<string> | undefined {
  const names = place.texts("models");
  for (const [index, name] of names?.entries() ?? [])
    if (!known.includes(name))
      throw new ConfigError(
        `${place.at("models")}/${index}`,
        `no model of this config has the name ${JSON.stringify(name.slice(0, 100))}; models: ${known.join(", ")}`,
      );
  return names && new Set(names);
}

function refuseTwins(keys: readonly Key[], config: Place): void {
  const seen = new Set<string>();
  for (const [index, { hash }] of keys.entries()) {
    const text = Buffer.from(hash).toString("hex");
    if (seen.has(text))
      throw new ConfigError(
        `${config.at("keys")}/${index}`,
        "the key is the same as one before it",
      );
    seen.add(text);
  }
}

function hashOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret, "utf8").digest();
}

/**
 * Who has a key. It is compared by hash with all keys, whichever it is, so that
 * the time tells nothing.
 *
 * @throws ApiError 401
 */
export function whoHas(token: string, keys: readonly Key[]): Key {
  const hash = hashOf(token);
  let found: Key | undefined;
  for (const key of keys) if (timingSafeEqual(hash, key.hash)) found = key;
  if (found !== undefined) return found;
  throw new ApiError(401, "Incorrect API key provided.", {
    headers: { "www-authenticate": "Bearer" },
  });
}

/**
 * @throws ApiError 403 for a model that the key may not use
 */
export function checkRight({ models }: Key, model: string): void {
  if (models === undefined || models.has(model)) return;
  const message = "The API key may not use this model.";
  throw new ApiError(403, message, {
    code: "model_not_allowed",
    problems: [{ message, location: "model" }],
  });
}
