import type { Catalogue } from "./catalogue.js";
import { preferredIds } from "../../site/versions.js";
import { LIST_PATH } from "./list.js";

/**
 * Pattern for `/$discovery/rest` and `/{name}/$discovery/rest`. The dollar sign
 * can be percent-encoded.
 */
const ALIAS = /^(?:\/([^/]+))?\/(?:\$|%24)discovery\/rest$/i;

/**
 * Converts `/$discovery/rest?version=V`, the URL form that API hosts use, to
 * the request target of the method getRest. If the path contains no API name,
 * selects the API whose `rootUrl` has the host of the request; if no such API
 * exists, selects the directory's own API. If the version is missing, selects
 * the preferred version. Returns undefined for other targets.
 */
export function resolveAlias(
  target: string,
  host: string,
  catalogue: Catalogue,
): string | undefined {
  const [path = "", ...rest] = target.split("?");
  const match = ALIAS.exec(path);
  if (match === null) return undefined;
  const query = rest.join("?");
  const name = match[1] ?? encodeURIComponent(apiNameFor(host, catalogue));
  const version =
    new URLSearchParams(query).get("version") ??
    preferredVersion(decodeSafely(name), catalogue);
  return `${LIST_PATH}/${name}/${encodeURIComponent(version)}/rest?${query}`;
}

/**
 * Returns the paths that end in `/$discovery/rest` for the given API names, for
 * use in `Service.paths`.
 */
export function aliasPaths(names: Iterable<string>): string[] {
  const prefixes = [...new Set(names)].map(
    (name) => `/${encodeURIComponent(name)}`,
  );
  return ["", ...prefixes].flatMap((prefix) => [
    `${prefix}/$discovery/rest`,
    `${prefix}/%24discovery/rest`,
  ]);
}

function apiNameFor(host: string, { summaries }: Catalogue): string {
  return (
    summaries.find((summary) => summary.host === host)?.name ?? "discovery"
  );
}

function preferredVersion(name: string, { summaries }: Catalogue): string {
  const ids = preferredIds(summaries);
  const preferred = summaries.find(
    (summary) => summary.name === name && ids.has(summary.id),
  );
  return preferred?.version ?? "none";
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
