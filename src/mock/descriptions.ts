import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { MockedApi } from "./mocked-api.js";

/** API whose description is served. */
type Described = Pick<
  MockedApi,
  "name" | "version" | "root" | "host" | "document"
>;

/** Path of the description on the host of an API; `$` can be encoded. */
const OWN = /^\/(?:\$|%24)discovery\/rest$/i;

/** Path of a description in a directory. */
const IN_DIRECTORY = /^\/discovery\/v1\/apis\/([^/]+)\/([^/]+)\/rest$/;

/** Path of the list of a directory. */
const LIST = "/discovery/v1/apis";

/**
 * Responds to a request for the description of an API, or for the list of APIs.
 * URLs of descriptions start with the scheme and host of the caller. Returns
 * undefined for other requests.
 */
export function describe(
  apis: readonly Described[],
  request: Incoming,
): Outgoing | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const [path = "/", query = ""] = request.target.split("?", 2);
  const base = `${request.origin}${request.mount ?? ""}`;
  if (path === LIST) return respond(listOf(apis, base));
  const match = IN_DIRECTORY.exec(path);
  if (match === null && !OWN.test(path)) return undefined;
  const named = apisOfHost(apis, request.header("host"));
  const candidates = named.length > 0 ? named : apis;
  const wanted = new URLSearchParams(query).get("version");
  const found =
    match === null
      ? candidates.filter(({ version }) => version === (wanted ?? version))
      : apis.filter(
          ({ name, version }) =>
            encodeURIComponent(name) === match[1] &&
            encodeURIComponent(version) === match[2],
        );
  const isClear = found.length === 1 || (found.length > 1 && named.length > 0);
  return isClear ? respond(withOrigin(found[0]!, base)) : undefined;
}

/** APIs that a host name refers to: `drive.localhost`, `drive.googleapis.com`. */
export function apisOfHost<T extends Pick<MockedApi, "name" | "host">>(
  apis: readonly T[],
  header: string | undefined,
): readonly T[] {
  const host = (header ?? "").replace(/:\d+$/, "").toLowerCase();
  const local = /^([^.]+)\.localhost$/.exec(host)?.[1];
  return apis.filter(
    ({ name, host: own }) => own === host || name.toLowerCase() === local,
  );
}

/** Returns a document whose URLs refer to the mock. */
function withOrigin({ document, root }: Described, base: string): object {
  const { servicePath, ...rest } = document;
  const rootUrl = `${base}${root}`;
  const path = typeof servicePath === "string" ? servicePath : "";
  const { mtlsRootUrl: _, endpoints: __, ...kept } = rest;
  return {
    ...kept,
    rootUrl,
    servicePath: path,
    baseUrl: rootUrl + path,
    basePath: `${root}${path}`,
  };
}

function listOf(apis: readonly Described[], base: string): object {
  return {
    kind: "discovery#directoryList",
    discoveryVersion: "v1",
    items: apis.map(({ name, version, document }) => {
      const path = `/apis/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
      const text = (value: unknown): string =>
        typeof value === "string" ? value : "";
      return {
        kind: "discovery#directoryItem",
        id: `${name}:${version}`,
        name,
        version,
        title: text(document["title"]),
        description: text(document["description"]),
        discoveryRestUrl: `${base}/discovery/v1${path}`,
        discoveryLink: `.${path}`,
        documentationLink: text(document["documentationLink"]),
        preferred:
          [...apis].reverse().find((api) => api.name === name)?.version ===
          version,
      };
    }),
  };
}

function respond(value: object): Outgoing {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify(value)}\n`,
  };
}
