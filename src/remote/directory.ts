import { closest } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import type { DocumentClient } from "./document-client.js";
import { parseRemoteUrl } from "./http/url-policy.js";
import { RemoteError } from "./http/http-settings.js";

/** Maximum number of API names in a message. */
const MAX_NAMES = 10;

/** Name and version of an API. */
export interface ApiId {
  readonly name: string;
  readonly version: string;
}

/** API in the list of a directory service. */
interface DirectoryEntry extends ApiId {
  readonly url: string | undefined;
  readonly isPreferred: boolean;
}

/** URLs at which a document could exist. */
export interface Locations {
  /** URLs, in the order in which they are requested. */
  readonly urls: readonly string[];
  /** Message to report if none of the URLs has the document. */
  readonly unknown?: string;
}

/**
 * Client that looks up documents in a directory service. Requests the directory
 * list once.
 */
export class Directory {
  readonly #client: DocumentClient;
  readonly #url: URL;
  #entries: Promise<readonly DirectoryEntry[]> | undefined;

  /** @throws RemoteError if the URL is not permitted */
  constructor(url: string | undefined, client: DocumentClient) {
    this.#client = client;
    this.#url = listUrl(
      parseRemoteUrl(url ?? PUBLIC_DIRECTORY, client.settings),
    );
  }

  get #isPublic(): boolean {
    return this.#url.href === PUBLIC_DIRECTORY;
  }

  /**
   * Returns the URL of a document in the directory list. If the list does not
   * contain the document, returns the standard URLs, where deprecated versions
   * are often still available.
   */
  async locate({ name, version }: ApiId): Promise<Locations> {
    let entries: readonly DirectoryEntry[];
    try {
      entries = await this.#list();
    } catch (error) {
      // If the list of the public directory is unavailable, the URLs are
      // derived from the name and version.
      if (!this.#isPublic) throw error;
      return { urls: publicLocations(name, version) };
    }
    const listed = entries.find(
      (entry) => entry.name === name && entry.version === version,
    );
    const derived = this.#isPublic
      ? publicLocations(name, version)
      : [restPath(this.#url.href, name, version)];
    return listed?.url === undefined
      ? { urls: derived, unknown: unknownText({ name, version }, entries) }
      : { urls: [listed.url] };
  }

  /**
   * Returns the message for an API that is given without a version. The message
   * lists the available versions.
   */
  async describeVersions(name: string): Promise<string> {
    const entries = await this.#list();
    const versions = entries.filter((entry) => entry.name === name);
    if (versions.length === 0)
      return unknownText({ name, version: "" }, entries);
    const preferred = versions.find(({ isPreferred }) => isPreferred);
    const names = versions.map(({ version }) => `${name}:${version}`);
    return `${name} needs a version: ${shown(names)}${preferred === undefined ? "" : `; preferred: ${name}:${preferred.version}`}`;
  }

  /** Returns the versions of an API, such as `drive:v3`, preferred one first. */
  async versionsOf(name: string): Promise<readonly string[]> {
    const entries = (await this.#list()).filter((entry) => entry.name === name);
    return entries
      .sort((a, b) => Number(b.isPreferred) - Number(a.isPreferred))
      .map(({ version }) => `${name}:${version}`);
  }

  #list(): Promise<readonly DirectoryEntry[]> {
    return (this.#entries ??= this.#readList());
  }

  async #readList(): Promise<readonly DirectoryEntry[]> {
    const { value } = await this.#client.get(this.#url, {
      read: (bytes) => entriesOf(bytes, this.#url),
      allowStale: true,
    });
    return value;
  }
}

/** Adds the standard path of directory lists to a URL without a path. */
function listUrl(url: URL): URL {
  const list = new URL(url);
  if (list.pathname === "/") list.pathname = "/discovery/v1/apis";
  return list;
}

/**
 * Parses a directory list.
 *
 * @throws RemoteError if the response is not a directory list
 */
function entriesOf(bytes: Buffer, base: URL): readonly DirectoryEntry[] {
  let list: unknown;
  try {
    list = JSON.parse(bytes.toString("utf8"));
  } catch {
    list = undefined;
  }
  if (!isObject(list) || list["kind"] !== "discovery#directoryList")
    throw new RemoteError(
      "remote-response",
      `${base.href} is not an API directory: the response must be JSON of kind "discovery#directoryList"`,
    );
  const items = Array.isArray(list["items"]) ? list["items"] : [];
  return items.flatMap((item: unknown) => {
    if (!isObject(item)) return [];
    const { name, version, discoveryRestUrl, preferred } = item;
    if (typeof name !== "string" || typeof version !== "string") return [];
    const url =
      typeof discoveryRestUrl === "string" &&
      URL.canParse(discoveryRestUrl, base.href)
        ? new URL(discoveryRestUrl, base).href
        : undefined;
    return [{ name, version, url, isPreferred: preferred === true }];
  });
}

/**
 * Returns the message for an unknown API. The message lists the available
 * versions of the API, or similar names.
 */
function unknownText(
  { name, version }: ApiId,
  entries: readonly DirectoryEntry[],
): string {
  const versions = entries
    .filter((entry) => entry.name === name)
    .map((entry) => `${name}:${entry.version}`);
  if (versions.length > 0)
    return `${name} has no version ${version}; available versions: ${shown(versions)}`;
  const names = [...new Set(entries.map((entry) => entry.name))];
  const similar = closest(name, names);
  return `the API directory does not contain ${name}${similar === undefined ? "" : ` (did you mean ${similar}?)`}`;
}

function shown(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  const list = names.slice(0, MAX_NAMES).join(", ");
  return rest > 0 ? `${list} and ${rest} more` : list;
}

/** URL of the list of APIs in the public directory. */
export const PUBLIC_DIRECTORY = "https://www.googleapis.com/discovery/v1/apis";

/**
 * Host names, without the domain, of services whose documents are not at
 * `<name>.googleapis.com`.
 */
const HOSTS: Readonly<Record<string, string>> = {
  adexchangebuyer2: "adexchangebuyer",
  calendar: "calendar-json",
  content: "shoppingcontent",
  sql: "sqladmin",
  translate: "translation",
};

/**
 * Returns the URLs at which the public document of an API can be: at the host
 * of the service, and in the central directory. Old APIs are only in the
 * central directory, and most new APIs only at their own host.
 */
export function publicLocations(name: string, version: string): string[] {
  const label = Object.hasOwn(HOSTS, name)
    ? HOSTS[name]!
    : name.toLowerCase().replaceAll("_", "-");
  const central = restPath(PUBLIC_DIRECTORY, name, version);
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
    ? [
        `https://${label}.googleapis.com/$discovery/rest?version=${encodeURIComponent(version)}`,
        central,
      ]
    : [central];
}

/**
 * Returns the URL of a document, derived from the URL of its directory's list.
 */
export function restPath(
  directory: string,
  name: string,
  version: string,
): string {
  const [base = "", query] = directory.split("?", 2);
  const path = `${base.replace(/\/$/, "")}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
  return query === undefined ? path : `${path}?${query}`;
}
