import path from "node:path";
import { hashOf } from "../key-hash.js";
import { ConfigError } from "../service.js";
import type { S3Config } from "./archive-storage.js";
import { ConfigReader } from "../config-reader.js";

/**
 * Kinds of access tokens in the config. Only `classic` tokens that belong to
 * organization owners are accepted. The other kinds are declared so that
 * the service can reject them with the matching error messages.
 */
export const TOKEN_KINDS = [
  "classic",
  "fine-grained",
  "app-user",
  "app-installation",
] as const;

export type TokenKind = (typeof TOKEN_KINDS)[number];

/** User and permissions of an access token. */
export interface TokenRow {
  readonly user: string;
  readonly kind: TokenKind;
  readonly scopes: readonly string[];
}

export interface OrganizationRow {
  /** Name in its original case. Requests can use any case. */
  readonly login: string;
  /** User names of the owners, in lower case. */
  readonly owners: ReadonlySet<string>;
}

/** Validated settings of the service, with defaults. */
export interface MigrationConfig {
  /** Folder of bare repositories: `<root>/<organization>/<repository>.git`. */
  readonly root: string;
  /** Organizations, keyed by name in lower case. */
  readonly organizations: ReadonlyMap<string, OrganizationRow>;
  /**
   * Tokens, keyed by their SHA-256 in hexadecimal. The tokens themselves are
   * not stored.
   */
  readonly tokens: ReadonlyMap<string, TokenRow>;
  /**
   * Key that signs archive URLs. If undefined, a key is generated and stored.
   */
  readonly secret: string | undefined;
  /**
   * Origin of URLs in responses, such as `https://api.example.com`. Default:
   * the origin of the request.
   */
  readonly origin: string | undefined;
  /**
   * Supported versions of the API in ascending order; the first is the default.
   */
  readonly versions: readonly string[];
  /** Number of seconds for which the URL of an archive is valid. */
  readonly urlSeconds: number;
  /** Maximum number of concurrent exports. */
  readonly exports: number;
  /**
   * Seconds without a sign of life after which another process takes over the
   * exports of a process.
   */
  readonly leaseSeconds: number;
  /**
   * Maximum number of times that an export is started, including restarts after
   * interruptions.
   */
  readonly attempts: number;
  /** Timeout of one git process in seconds. */
  readonly gitSeconds: number;
  /** Maximum size in bytes of an archive, and of each file in it. */
  readonly archiveBytes: number;
  /** Maximum number of repositories in one migration. */
  readonly repositories: number;
  /** Maximum number of pending and running migrations per organization. */
  readonly unfinished: number;
  /** Milliseconds between the creation of an archive and its deletion. */
  readonly archiveLifetime: number;
  /**
   * Milliseconds between the end of a migration and the deletion of its record;
   * undefined to keep records.
   */
  readonly recordLifetime: number | undefined;
  /** Bucket for archives; undefined to store them in the folder. */
  readonly s3: S3Config | undefined;
}

/**
 * Pattern for account names. It is strict because the names are used in paths.
 */
export const LOGIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/;

const KEYS = [
  "root",
  "organizations",
  "tokens",
  "secret",
  "origin",
  "versions",
  "urlSeconds",
  "exports",
  "leaseSeconds",
  "attempts",
  "gitSeconds",
  "archiveBytes",
  "repositories",
  "unfinished",
  "archives",
  "retention",
];

/**
 * Validates the config section of the migration service.
 *
 * @throws ConfigError with the position and the expected value
 */
export function readConfig(value: unknown): MigrationConfig {
  const reader = new ConfigReader(value, "", KEYS);
  return {
    root: path.resolve(reader.requiredText("root")),
    organizations: organizations(reader),
    tokens: tokens(reader),
    secret: reader.has("secret") ? secret(reader) : undefined,
    origin: reader.has("origin") ? origin(reader) : undefined,
    versions: versions(reader),
    urlSeconds: reader.integer("urlSeconds", { min: 1, max: 86_400 }) ?? 300,
    exports: reader.integer("exports", { min: 1, max: 64 }) ?? 2,
    leaseSeconds: reader.integer("leaseSeconds", { min: 1, max: 3600 }) ?? 30,
    attempts: reader.integer("attempts", { min: 1, max: 100 }) ?? 3,
    gitSeconds: reader.integer("gitSeconds", { min: 1, max: 86_400 }) ?? 3600,
    archiveBytes:
      reader.integer("archiveBytes", { min: 1, max: 2 ** 50 }) ?? 20 * 2 ** 30,
    repositories:
      reader.integer("repositories", { min: 1, max: 100_000 }) ?? 1000,
    unfinished: reader.integer("unfinished", { min: 1, max: 100_000 }) ?? 100,
    ...retention(reader),
    s3: reader.has("archives") ? s3(reader) : undefined,
  };
}

/** Lifetimes of archives and records in milliseconds. */
type Retention = Pick<MigrationConfig, "archiveLifetime" | "recordLifetime">;

/** Days until an archive is deleted. */
const ARCHIVE_DAYS = 7;

function retention(reader: ConfigReader): Retention {
  const value = reader.get("retention") ?? {};
  const pointer = reader.pointerOf("retention");
  const settings = new ConfigReader(value, pointer, ["archives", "records"]);
  const archiveLifetime =
    settings.duration("archives") ?? ARCHIVE_DAYS * 24 * 60 * 60 * 1000;
  const recordLifetime = settings.duration("records");
  if (recordLifetime !== undefined && recordLifetime < archiveLifetime)
    throw settings.error(
      "records",
      "must be at least as long as the retention of archives",
    );
  return { archiveLifetime, recordLifetime };
}

function s3(reader: ConfigReader): S3Config {
  const archives = new ConfigReader(
    reader.get("archives"),
    reader.pointerOf("archives"),
    ["s3"],
  );
  const settings = new ConfigReader(
    archives.get("s3"),
    archives.pointerOf("s3"),
    ["bucket", "region", "endpoint", "forcePathStyle", "prefix"],
  );
  return {
    bucket: settings.requiredText("bucket"),
    region: settings.text("region") ?? "us-east-1",
    endpoint: settings.has("endpoint") ? endpoint(settings) : undefined,
    forcePathStyle: settings.flag("forcePathStyle") ?? false,
    prefix: settings.text("prefix") ?? "",
  };
}

function endpoint(reader: ConfigReader): string {
  const text = reader.requiredText("endpoint");
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  const message = "The value must be a URL such as https://minio.example.com.";
  throw new ConfigError(reader.pointerOf("endpoint"), message);
}

function organizations(reader: ConfigReader): Map<string, OrganizationRow> {
  const rows = new Map<string, OrganizationRow>();
  for (const row of reader.rows("organizations", ["login", "owners"])) {
    const login = row.matching("login", LOGIN_NAME, "a name such as octo-org");
    if (rows.has(login.toLowerCase()))
      throw new ConfigError(
        row.pointerOf("login"),
        `${login} is listed twice.`,
      );
    const owners = row
      .requiredTexts("owners")
      .map((name) => name.toLowerCase());
    rows.set(login.toLowerCase(), { login, owners: new Set(owners) });
  }
  return rows;
}

function tokens(reader: ConfigReader): Map<string, TokenRow> {
  const rows = new Map<string, TokenRow>();
  for (const row of reader.rows("tokens", [
    "token",
    "user",
    "kind",
    "scopes",
  ])) {
    const hash = tokenHash(row);
    if (rows.has(hash))
      throw new ConfigError(
        row.pointerOf("token"),
        "The token is listed twice.",
      );
    rows.set(hash, {
      user: row.requiredText("user").toLowerCase(),
      kind: row.has("kind") ? row.oneOf("kind", TOKEN_KINDS) : "classic",
      scopes: row.has("scopes")
        ? row.requiredTexts("scopes")
        : ["repo", "admin:org"],
    });
  }
  return rows;
}

/**
 * Returns the hash of a configured token. Error messages must not contain the
 * token.
 */
function tokenHash(row: ConfigReader): string {
  const token = row.requiredText("token");
  if (!token.startsWith("sha256:")) return hashOf(token);
  const hash = token.slice("sha256:".length).toLowerCase();
  if (/^[\da-f]{64}$/.test(hash)) return hash;
  const message = "The value after sha256: must be 64 hexadecimal digits.";
  throw new ConfigError(row.pointerOf("token"), message);
}

function secret(reader: ConfigReader): string {
  const text = reader.requiredText("secret");
  if (text.length >= 32) return text;
  const message = "The secret must have at least 32 random characters.";
  throw new ConfigError(reader.pointerOf("secret"), message);
}

function origin(reader: ConfigReader): string {
  const text = reader.requiredText("origin");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && isOriginOnly(url))
    return url.origin;
  const message =
    "The value must be an origin such as https://api.example.com.";
  throw new ConfigError(reader.pointerOf("origin"), message);
}

function isOriginOnly(url: URL): boolean {
  return url.href === `${url.origin}/`;
}

function versions(reader: ConfigReader): string[] {
  if (!reader.has("versions")) return ["2022-11-28"];
  const dates = reader.requiredTexts("versions");
  const isValid =
    dates.length > 0 && dates.every((date) => /^\d{4}-\d{2}-\d{2}$/.test(date));
  if (isValid) return [...new Set(dates)].sort();
  const message = "The value must be a list of dates such as 2022-11-28.";
  throw new ConfigError(reader.pointerOf("versions"), message);
}
