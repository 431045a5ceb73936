import type { Catalogue } from "./catalogue.js";
import { LIST_PATH, preferredIds } from "./list.js";

/** `/$discovery/rest` and `/{name}/$discovery/rest`, the dollar sign encoded or not. */
const ALIAS = /^(?:\/([^/]+))?\/(?:\$|%24)discovery\/rest$/i;

/**
 * The target of getRest for the form in which API hosts have it:
 * `/$discovery/rest?version=V`. Without a name in the path, the API is the one
 * whose `rootUrl` has the host that the caller used, else the directory itself.
 * Without a version it is the preferred one. Other targets are undefined.
 */
export function unalias(
  target: string,
  host: string,
  catalogue: Catalogue,
): string | undefined {
  const [path = "", ...rest] = target.split("?");
  const match = ALIAS.exec(path);
  if (match === null) return undefined;
  const query = rest.join("?");
  const name = match[1] ?? encodeURIComponent(nameAt(host, catalogue));
  const version =
    new URLSearchParams(query).get("version") ??
    preferredVersion(decodeSafely(name), catalogue);
  return `${LIST_PATH}/${name}/${encodeURIComponent(version)}/rest?${query}`;
}

/** Paths of that form, for the host of several services to know them. */
export function aliasPaths(names: Iterable<string>): string[] {
  const prefixes = [...new Set(names)].map(
    (name) => `/${encodeURIComponent(name)}`,
  );
  return ["", ...prefixes].flatMap((prefix) => [
    `${prefix}/$discovery/rest`,
    `${prefix}/%24discovery/rest`,
  ]);
}

function nameAt(host: string, { facts }: Catalogue): string {
  return facts.find((one) => one.host === host)?.name ?? "discovery";
}

function preferredVersion(name: string, { facts }: Catalogue): string {
  const ids = preferredIds(facts);
  const found = facts.find((one) => one.name === name && ids.has(one.id));
  return found?.version ?? "none";
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
