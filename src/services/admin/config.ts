import { ConfigReader, readSecret } from "../config-reader.js";
import { hashIn, hashOf } from "../key-hash.js";

/** Settings of the admin API, in the section `admin` of the config. */
export interface AdminConfig {
  readonly port: number;
  readonly host: string;
  readonly tokens: readonly AdminToken[];
}

/** Token of an operator. Only its hash is stored in memory. */
export interface AdminToken {
  /** Name in audit events. */
  readonly name: string;
  /** SHA-256. */
  readonly hash: Uint8Array;
}

/** Port of the admin API if the config contains no port. */
const PORT = 9091;

/**
 * Maximum number of tokens. The number is limited because the token of each
 * request is compared with all of them.
 */
const MAX_TOKENS = 100;

/** Minimum length of a token in an environment variable. */
const MIN_LENGTH = 20;

const TOKEN_HELP =
  'write env:NAME, in which NAME is an environment variable that contains the token, or sha256:HASH, in which HASH is the output of printf %s "$TOKEN" | sha256sum';

/**
 * Reads and validates the section `admin`.
 *
 * @returns undefined if the config has no such section
 * @throws ConfigError for an unknown setting or an invalid value
 */
export function readAdminConfig(value: unknown): AdminConfig | undefined {
  if (value === undefined) return undefined;
  const reader = new ConfigReader(value, "", ["port", "host", "tokens"]);
  const rows = reader.rows("tokens", ["name", "token"]);
  if (rows.length === 0 || rows.length > MAX_TOKENS)
    throw reader.error(
      "tokens",
      `must have 1 to ${MAX_TOKENS} tokens, each with name and token`,
    );
  return {
    port: reader.integer("port", { min: 0, max: 65_535 }) ?? PORT,
    host: reader.text("host") ?? "127.0.0.1",
    tokens: rows.map((row) => ({
      name: row.matching(
        "name",
        /^[\w.@ -]{1,100}$/,
        "1 to 100 letters, digits, spaces or characters of . _ @ -; audit events contain it",
      ),
      hash: readHash(row),
    })),
  };
}

function readHash(row: ConfigReader): Uint8Array {
  const text = row.text("token") ?? "";
  const hash = hashIn(text);
  if (hash !== undefined) return Buffer.from(hash, "hex");
  const variable = /^env:(.+)$/.exec(text)?.[1];
  if (variable === undefined)
    throw row.error("token", `must not be the token itself: ${TOKEN_HELP}`);
  const secret = readSecret(variable, row, "token");
  if (secret.length < MIN_LENGTH)
    throw row.error(
      "token",
      `must have at least ${MIN_LENGTH} characters, such as those of: openssl rand -hex 32`,
    );
  return hashOfToken(secret);
}

/** Returns the SHA-256 of a token. */
export function hashOfToken(token: string): Uint8Array {
  return Buffer.from(hashOf(token), "hex");
}
