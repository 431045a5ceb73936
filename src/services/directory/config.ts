import { statSync } from "node:fs";
import path from "node:path";
import { ConfigError } from "../service.js";
import { specsFolder } from "./package-folder.js";

/** Validated section of the directory, with defaults. */
export interface DirectoryConfig {
  /** Folder of the documents. Default: descriptions in this package. */
  readonly folder: string;
  /** Origin for URLs, such as `https://apis.example.com`; by default it is taken from requests. */
  readonly origin: string | undefined;
  /** If true, the origin is taken from `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustForwarded: boolean;
  /** `keep` leaves `rootUrl` of documents unchanged; `origin` replaces it by the origin. */
  readonly rootUrl: "keep" | "origin";
}

const KEYS = ["folder", "origin", "trustForwarded", "rootUrl"];

/**
 * Validates the section of the directory.
 *
 * @throws ConfigError with the position of the first mistake
 */
export function readConfig(value: unknown): DirectoryConfig {
  if (value === undefined || value === null) return readConfig({});
  if (typeof value !== "object" || Array.isArray(value))
    throw new ConfigError("", "must be an object");
  const config = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(config))
    if (!KEYS.includes(key))
      throw new ConfigError(
        `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        `is not a setting; settings: ${KEYS.join(", ")}`,
      );
  return {
    folder: readFolder(config["folder"]),
    origin: readOrigin(config["origin"]),
    trustForwarded: readSwitch(config["trustForwarded"]),
    rootUrl: readRootUrl(config["rootUrl"]),
  };
}

function readFolder(value: unknown): string {
  if (value === undefined) return specsFolder();
  if (typeof value !== "string" || value === "" || value.includes("\0"))
    throw new ConfigError("/folder", "must be the path of a folder");
  const stats = statSync(value, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true)
    throw new ConfigError("/folder", `${value} is not a folder`);
  return path.resolve(value);
}

function readOrigin(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (
    typeof value === "string" &&
    /^https?:/.test(value) &&
    URL.canParse(value)
  ) {
    const url = new URL(value);
    if (url.href === `${url.origin}/`) return url.origin;
  }
  throw new ConfigError(
    "/origin",
    "must be an origin such as https://apis.example.com",
  );
}

function readSwitch(value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  throw new ConfigError("/trustForwarded", "must be true or false");
}

function readRootUrl(value: unknown): "keep" | "origin" {
  if (value === undefined || value === "keep") return "keep";
  if (value === "origin") return "origin";
  throw new ConfigError("/rootUrl", 'must be "keep" or "origin"');
}
