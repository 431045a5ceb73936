/* eslint-disable */
// biome-ignore-all lint: generated

import { standardError } from "./error.js";
import type { Outgoing, ServerRequest } from "./request.js";

/** API whose description is served. */
export interface DescribedApi {
  /** Description document: its JSON text, or the parsed object. */
  readonly document: object | string;
  /**
   * Path prefix of the API, such as `/tasks`. Default: `basePath` of the server
   * that receives the request.
   */
  readonly basePath?: string | undefined;
}

/** Options of {@link describeApis}. */
export interface DescriptionOptions {
  /**
   * Host names, without port, that URLs in descriptions may contain in addition
   * to those of the loopback interface; `*` for all. Callers send their
   * credentials to these URLs, so a host name that anybody can write into the
   * `Host` header must not get into them. Requests with other names result in
   * 421. The option has no effect if the server's option `origin` is set.
   * Default: none.
   */
  readonly hosts?: "*" | readonly string[] | undefined;
}

/** Part of a server that serves descriptions; see {@link describeApis}. */
export interface Descriptions {
  /**
   * Tests whether a path, relative to the base path of the server, is that of a
   * description or of the list.
   */
  serves(path: string): boolean;
  /**
   * Returns the response to a request for a description or for the list;
   * undefined for other requests.
   *
   * @throws ApiError 421 if the host name of the request is not allowed
   */
  respond(
    request: ServerRequest,
    context: DescriptionContext,
  ): Outgoing | undefined;
}

/** Position of a request on the server that received it. */
export interface DescriptionContext {
  /** Path relative to `basePath`, without a leading slash. */
  readonly path: string;
  readonly query: string;
  /** Path prefix of the server, without a trailing slash. */
  readonly basePath: string;
  /** True if the origin is that of the server's options. */
  readonly isFixedOrigin: boolean;
}

/** Path of the description on the host of an API; `$` can be encoded. */
const OWN = /^(?:\$|%24)discovery\/rest$/i;

/** Path of a description in a directory. */
const IN_DIRECTORY = /^discovery\/v1\/apis\/([^/]+)\/([^/]+)\/rest$/;

/** Path of the list of a directory. */
const LIST = "discovery/v1/apis";

/** Members that contain URLs or paths of the server. */
const LOCATIONS = [
  "rootUrl",
  "servicePath",
  "baseUrl",
  "basePath",
  "mtlsRootUrl",
  "endpoints",
];

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Serves the descriptions of APIs, so that clients can be built from them at run
 * time: below `discovery/v1/apis` with the list of all APIs, and at
 * `$discovery/rest?version=…`. Their URLs start with the scheme and host of the
 * caller. Pass the result to the option `descriptions` of a server. Routes of
 * the API take precedence.
 *
 * @throws TypeError for a document without `name` or `version`; SyntaxError for
 *   text that is not JSON
 */
export function describeApis(
  apis: DescribedApi | readonly DescribedApi[],
  { hosts = [] }: DescriptionOptions = {},
): Descriptions {
  const described = [apis].flat().map((api) => new Description(api));
  const allowed =
    hosts === "*"
      ? undefined
      : new Set([...hosts].map((host) => host.toLowerCase()));
  const inDirectory = (path: string): Description | undefined => {
    const match = IN_DIRECTORY.exec(path);
    return described.find(
      ({ name, version }) =>
        encodeURIComponent(name) === match?.[1] &&
        encodeURIComponent(version) === match[2],
    );
  };
  const ofHost = (
    request: ServerRequest,
    query: string,
  ): Description | undefined => {
    const named = apisOfHost(described, request.header("host"));
    const wanted = new URLSearchParams(query).get("version");
    const found = (named.length > 0 ? named : described).filter(
      ({ version }) => version === (wanted ?? version),
    );
    const isClear = found.length === 1 || named.length > 0;
    return isClear ? found[0] : undefined;
  };
  return {
    serves: (path) =>
      path === LIST || OWN.test(path) || inDirectory(path) !== undefined,
    respond(request, { path, query, basePath, isFixedOrigin }) {
      if (request.method !== "GET" && request.method !== "HEAD")
        return undefined;
      const isList = path === LIST;
      const found = OWN.test(path) ? ofHost(request, query) : inDirectory(path);
      if (!isList && found === undefined) return undefined;
      const { origin, mount = "" } = request;
      if (!isFixedOrigin && allowed !== undefined) checkHost(origin, allowed);
      const base = `${origin}${mount}`;
      if (found !== undefined) return respond(found.textFor(base, basePath));
      const list = listOf(described, `${base}${basePath}`);
      return respond(JSON.stringify(list));
    },
  };
}

/** Document whose members, except URLs, are serialized once. */
class Description {
  readonly name: string;
  readonly version: string;
  /** Host name in the document. */
  readonly host: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly #basePath: string | undefined;
  /** Text after the URLs. */
  #rest: string | undefined;

  constructor({ document, basePath }: DescribedApi) {
    const parsed: unknown =
      typeof document === "string" ? JSON.parse(document) : document;
    this.document = Object(parsed) as Readonly<Record<string, unknown>>;
    this.name = textOf(this.document["name"]);
    this.version = textOf(this.document["version"]);
    if (this.name === "" || this.version === "")
      throw new TypeError(
        "The description must have the members name and version.",
      );
    const rootUrl = textOf(this.document["rootUrl"]).toLowerCase();
    this.host = /^https?:\/\/([^/:]+)/.exec(rootUrl)?.[1] ?? "";
    this.#basePath = basePath?.replace(/\/*$/, "");
  }

  /** Returns the document with the URLs of a server. */
  textFor(base: string, serverPath: string): string {
    const root = `${this.#basePath ?? serverPath}/`;
    const servicePath = textOf(this.document["servicePath"]);
    const locations = JSON.stringify({
      rootUrl: base + root,
      servicePath,
      baseUrl: base + root + servicePath,
      basePath: root + servicePath,
    });
    this.#rest ??= JSON.stringify(
      Object.fromEntries(
        Object.entries(this.document).filter(
          ([name]) => !LOCATIONS.includes(name),
        ),
      ),
    );
    return `${locations.slice(0, -1)},${this.#rest.slice(1)}`;
  }
}

/** Returns APIs that a host names: `drive.localhost`, `drive.googleapis.com`. */
export function apisOfHost<
  T extends { readonly name: string; readonly host: string },
>(apis: readonly T[], header: string | undefined): readonly T[] {
  const host = (header ?? "").replace(/:\d+$/, "").toLowerCase();
  const local = /^([^.]+)\.localhost$/.exec(host)?.[1];
  return apis.filter(
    ({ name, host: own }) => own === host || name.toLowerCase() === local,
  );
}

function checkHost(origin: string, allowed: ReadonlySet<string>): void {
  const name = origin.replace(/^[a-z]+:\/\/|:\d*$/gi, "").toLowerCase();
  if (LOOPBACK.test(name) || allowed.has(name)) return;
  throw standardError(
    421,
    "Descriptions are not available under this host name. Add it to `hosts` of describeApis, or set `origin` of the server.",
  );
}

function listOf(apis: readonly Description[], base: string): object {
  return {
    kind: "discovery#directoryList",
    discoveryVersion: "v1",
    items: apis.map(({ name, version, document }) => {
      const path = `/apis/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
      return {
        kind: "discovery#directoryItem",
        id: `${name}:${version}`,
        name,
        version,
        title: textOf(document["title"]),
        description: textOf(document["description"]),
        discoveryRestUrl: `${base}/discovery/v1${path}`,
        discoveryLink: `.${path}`,
        documentationLink: textOf(document["documentationLink"]),
        preferred:
          [...apis].reverse().find((api) => api.name === name)?.version ===
          version,
      };
    }),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function respond(json: string): Outgoing {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${json}\n`,
  };
}
