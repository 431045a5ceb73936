import type { Catalogue } from "./catalogue.js";
import { LIST_PATH, preferredIds } from "./list.js";

/** Matches `/$discovery/rest` and `/{name}/$discovery/rest`; the dollar sign may be encoded. */
const ALIAS = /^(?:\/([^/]+))?\/(?:\$|%24)discovery\/rest$/i;

/**
 * Converts the form of API hosts, `/$discovery/rest?version=V`, to the target of getRest.
 * Without a name in the path, selects the API whose `rootUrl` has the host of the
 * request, else the directory itself. Without a version, selects the preferred one.
 * Returns undefined for other targets.
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

/** Returns the paths of that form, for `Service.paths`. */
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
