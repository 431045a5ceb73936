import { statSync } from "node:fs";
import path from "node:path";
import { tryOriginOf, type TryOrigins } from "../../site/try-form.js";
import { ConfigReader } from "../config-reader.js";
import { ConfigError } from "../service.js";
import { specsFolder } from "./package-folder.js";

/** Validated config section of the directory, including defaults. */
export interface DirectoryConfig {
  /** Folder with the documents. Default: the descriptions in this package. */
  readonly folder: string;
  /**
   * Origin of URLs in responses, such as `https://apis.example.com`. Default:
   * the origin of each request.
   */
  readonly origin: string | undefined;
  /**
   * True to take the origin of a request from `X-Forwarded-Proto` and
   * `X-Forwarded-Host`.
   */
  readonly trustForwarded: boolean;
  /**
   * `keep` leaves the `rootUrl` of documents unchanged. `origin` replaces it
   * with the origin of the directory.
   */
  readonly rootUrl: "keep" | "origin";
  /**
   * Origins to which forms on the pages may send requests: `self`, or an origin
   * such as `https://api.example.com`. Default: none, so that the pages have no
   * forms.
   */
  readonly tryIt: TryOrigins;
}

const KEYS = ["folder", "origin", "trustForwarded", "rootUrl", "tryIt"];

/**
 * Validates the config section of the directory.
 *
 * @throws ConfigError with the position of the first mistake
 */
export function readConfig(value: unknown): DirectoryConfig {
  const reader = new ConfigReader(value ?? {}, "", KEYS);
  return {
    folder: readFolder(reader.get("folder")),
    origin: readOrigin(reader.get("origin")),
    trustForwarded: reader.flag("trustForwarded") ?? false,
    rootUrl: readRootUrl(reader.get("rootUrl")),
    tryIt: readOrigins(reader.texts("tryIt") ?? []),
  };
}

function readFolder(value: unknown): string {
  if (value === undefined) return specsFolder();
  if (typeof value !== "string" || value === "" || value.includes("\0"))
    throw new ConfigError("/folder", "folder must be the path of a folder");
  const stats = statSync(value, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true)
    throw new ConfigError(
      "/folder",
      `folder must be an existing folder, not ${value}`,
    );
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
    "origin must be an origin such as https://apis.example.com",
  );
}

function readOrigins(values: readonly string[]): TryOrigins {
  return values.map((value, index) => {
    const origin = tryOriginOf(value);
    if (origin !== undefined) return origin;
    throw new ConfigError(
      `/tryIt/${index}`,
      "every element of tryIt must be self or an origin such as https://api.example.com",
    );
  });
}

function readRootUrl(value: unknown): "keep" | "origin" {
  if (value === undefined || value === "keep") return "keep";
  if (value === "origin") return "origin";
  throw new ConfigError("/rootUrl", 'rootUrl must be "keep" or "origin"');
}
