import { createHash } from "node:crypto";
import path from "node:path";
import { ConfigError } from "../service.js";
import { ConfigReader } from "./config-reader.js";

/** What kind a token is; only `classic` ones of owners are let in. */
export const TOKEN_KINDS = [
  "classic",
  "fine-grained",
  "app-user",
  "app-installation",
] as const;

/** One of {@link TOKEN_KINDS}. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Who a token speaks for. */
export interface TokenRow {
  readonly user: string;
  readonly kind: TokenKind;
  readonly scopes: readonly string[];
}

/** An organization, and who owns it. */
export interface OrganizationRow {
  /** As it is written; callers may write it in any case. */
  readonly login: string;
  /** Names of users in lower case. */
  readonly owners: ReadonlySet<string>;
}

/** Settings of the service, checked, with defaults filled in. */
export interface MigrationConfig {
  /** Folder of bare repositories: `<root>/<organization>/<repository>.git`. */
  readonly root: string;
  /** By name in lower case. */
  readonly organizations: ReadonlyMap<string, OrganizationRow>;
  /** By SHA-256 in hexadecimal digits: tokens themselves are not kept. */
  readonly tokens: ReadonlyMap<string, TokenRow>;
  /** Signs URLs of archives; one is made and stored where it is absent. */
  readonly secret: string | undefined;
  /** Where callers reach the service, such as `https://api.example.com`; else what they say in `Host`. */
  readonly origin: string | undefined;
  /** Supported versions of the API from the oldest, which is the default. */
  readonly versions: readonly string[];
  /** For which a URL of an archive works. */
  readonly urlSeconds: number;
  /** That run at the same time. */
  readonly exports: number;
  /** Seconds after which another process takes over an export whose process is gone. */
  readonly leaseSeconds: number;
  /** Starts of one export, the first and those after interruptions. */
  readonly attempts: number;
  /** That one process of git may take. */
  readonly gitSeconds: number;
  /** Size of an archive at most, and of the content of a repository on the way. */
  readonly archiveBytes: number;
  /** That one migration may have. */
  readonly repositories: number;
  /** Migrations of an organization that wait or run at the same time. */
  readonly unfinished: number;
}

/** Names of accounts, as they may stand in paths. */
export const LOGIN = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/;

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
];

/**
 * Checks the service's part of the config file.
 *
 * @throws ConfigError that names the place and what may stand there.
 */
export function readConfig(value: unknown): MigrationConfig {
  const top = new ConfigReader(value, "", KEYS);
  return {
    root: path.resolve(top.text("root")),
    organizations: organizations(top),
    tokens: tokens(top),
    secret: top.has("secret") ? secret(top) : undefined,
    origin: top.has("origin") ? origin(top) : undefined,
    versions: versions(top),
    urlSeconds: top.whole("urlSeconds", 300, 1, 86_400),
    exports: top.whole("exports", 2, 1, 64),
    leaseSeconds: top.whole("leaseSeconds", 30, 1, 3600),
    attempts: top.whole("attempts", 3, 1, 100),
    gitSeconds: top.whole("gitSeconds", 3600, 1, 86_400),
    archiveBytes: top.whole("archiveBytes", 20 * 2 ** 30, 1, 2 ** 50),
    repositories: top.whole("repositories", 1000, 1, 100_000),
    unfinished: top.whole("unfinished", 100, 1, 100_000),
  };
}

function organizations(top: ConfigReader): Map<string, OrganizationRow> {
  const rows = new Map<string, OrganizationRow>();
  for (const row of top.rows("organizations", ["login", "owners"])) {
    const login = row.matching("login", LOGIN, "a name such as octo-org");
    if (rows.has(login.toLowerCase()))
      throw new ConfigError(row.at("login"), `${login} is listed twice.`);
    const owners = row.texts("owners").map((name) => name.toLowerCase());
    rows.set(login.toLowerCase(), { login, owners: new Set(owners) });
  }
  return rows;
}

function tokens(top: ConfigReader): Map<string, TokenRow> {
  const rows = new Map<string, TokenRow>();
  for (const row of top.rows("tokens", ["token", "user", "kind", "scopes"])) {
    const hash = hashOf(row);
    if (rows.has(hash))
      throw new ConfigError(row.at("token"), "The token is listed twice.");
    rows.set(hash, {
      user: row.text("user").toLowerCase(),
      kind: row.has("kind") ? row.oneOf("kind", TOKEN_KINDS) : "classic",
      scopes: row.has("scopes") ? row.texts("scopes") : ["repo", "admin:org"],
    });
  }
  return rows;
}

/** The message must not have the token. */
function hashOf(row: ConfigReader): string {
  const token = row.text("token");
  if (!token.startsWith("sha256:")) return hashToken(token);
  const hash = token.slice("sha256:".length).toLowerCase();
  if (/^[\da-f]{64}$/.test(hash)) return hash;
  const wanted = "Behind sha256: have to be 64 hexadecimal digits.";
  throw new ConfigError(row.at("token"), wanted);
}

/** What of a token is kept and compared: its SHA-256 in hexadecimal digits. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function secret(top: ConfigReader): string {
  const text = top.text("secret");
  if (text.length >= 32) return text;
  const wanted = "The secret needs at least 32 characters, chosen at random.";
  throw new ConfigError(top.at("secret"), wanted);
}

function origin(top: ConfigReader): string {
  const text = top.text("origin");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && isBare(url))
    return url.origin;
  const wanted =
    "It has to be scheme and host, such as https://api.example.com.";
  throw new ConfigError(top.at("origin"), wanted);
}

function isBare(url: URL): boolean {
  return url.href === `${url.origin}/`;
}

function versions(top: ConfigReader): string[] {
  if (!top.has("versions")) return ["2022-11-28"];
  const found = top.texts("versions");
  const isGood =
    found.length > 0 && found.every((one) => /^\d{4}-\d{2}-\d{2}$/.test(one));
  if (isGood) return [...new Set(found)].sort();
  const wanted = "It has to list dates such as 2022-11-28.";
  throw new ConfigError(top.at("versions"), wanted);
}
