import type { LookupFunction } from "node:net";
import {
  DEFAULT_LIMITS,
  type HttpSettings,
  type RequestLimits,
  RemoteError,
} from "./http/http-settings.js";
import type { HostHeaders, RemoteOptions } from "./remote-options.js";

/** Network functions and environment variables, which tests replace. */
export interface RemoteEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly limits?: Partial<RequestLimits> | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly ca?: string | undefined;
}

/**
 * Returns the HTTP settings for the given options.
 *
 * @throws RemoteError if a header setting is invalid
 */
export function httpSettings(
  options: RemoteOptions,
  { env, limits, lookup, ca }: RemoteEnvironment,
): HttpSettings {
  const { allowHttp = false, allowPrivate = false, headers = {} } = options;
  const { headersOf, secrets } = resolveHeaders(
    { ...headers, ...parseHeaders(env["GEN_HEADERS"]) },
    env,
  );
  return {
    allowHttp,
    allowPrivate,
    headersOf,
    secrets,
    env,
    limits: { ...DEFAULT_LIMITS, ...limits },
    lookup,
    ca,
  };
}

/** API, and the location of its document. */
export interface ApiSource {
  /**
   * Label of the API: `name:version`, or another name if the API has a source.
   */
  readonly id: string;
  /**
   * URL of the document; absent if the document is looked up in the directory.
   */
  readonly source?: string | undefined;
}

/** API and the path of its fetched document. */
export interface FetchedApi extends ApiSource {
  /** Path relative to the working directory. */
  readonly file: string;
}

/** Location of the lock file, and options for fetching documents. */
export interface LockOptions extends RemoteOptions {
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /** Path of gen.lock.json. */
  readonly lockFile: string;
  /**
   * Reports each API whose document or lock entry is missing or would change, and
   * changes neither documents nor the lock file. Default: false.
   */
  readonly isFrozen?: boolean | undefined;
  /**
   * Reports missing documents, and changes neither documents nor the lock file.
   * Default: false.
   */
  readonly isReadOnly?: boolean | undefined;
  /** Network functions and environment variables, which tests replace. */
  readonly environment?: RemoteEnvironment | undefined;
}

/** Headers with resolved values, and the credentials that they contain. */
export interface ResolvedHeaders {
  /**
   * Returns the headers of a request.
   *
   * @throws RemoteError if an environment variable for the URL's host is
   * missing or invalid
   */
  readonly headersOf: (url: URL) => Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^(?:([A-Za-z][\w-]*) )?env:([A-Za-z_]\w*)$/;

/**
 * Start of the names of environment variables to which settings can refer. A
 * config of a cloned repository could otherwise send each credential of the
 * user's environment to a host of its choice.
 */
const VARIABLE_PREFIX = "GEN_";

/**
 * Pattern for names of headers that the client itself sets, or that have no
 * effect on a request.
 */
const RESERVED =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|accept-encoding|if-.*|range|expect|proxy-.*)$/i;

/**
 * Minimum length of credentials that are searched for in messages and
 * documents. Shorter values would also be found by chance.
 */
const MIN_SECRET = 8;

/**
 * Replaces references to environment variables in the headers setting with
 * their values. Each header is sent only to the host for which it is
 * configured, over https unless the key names http. If a variable is not set, only requests to this host fail, so
 * that documents of other hosts can still be fetched.
 *
 * @throws RemoteError that names an invalid setting, without its value
 */
export function resolveHeaders(
  headers: HostHeaders,
  env: NodeJS.ProcessEnv,
): ResolvedHeaders {
  const byOrigin = new Map<string, Record<string, string> | RemoteError>();
  const secrets = new Set<string>();
  for (const [host, fields] of Object.entries(headers)) {
    const resolved = new Map<string, string>();
    let failure: RemoteError | undefined;
    for (const [name, setting] of Object.entries(fields)) {
      const found = resolveValue(host, name, setting, env);
      if (found instanceof RemoteError) {
        failure ??= found;
        continue;
      }
      resolved.set(name.toLowerCase(), found.value);
      if (found.secret.length >= MIN_SECRET) secrets.add(found.secret);
    }
    byOrigin.set(originOf(host), failure ?? Object.fromEntries(resolved));
  }
  const headersOf = ({ origin }: URL): Readonly<Record<string, string>> => {
    const found = byOrigin.get(origin) ?? {};
    if (found instanceof RemoteError) throw found;
    return found;
  };
  return { headersOf, secrets: [...secrets] };
}

/**
 * Parses the environment variable GEN_HEADERS, which contains JSON in the form
 * of `HostHeaders`.
 */
export function parseHeaders(text: string | undefined): HostHeaders {
  if (text === undefined || text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    // The error message does not contain the text, because the text can contain
    // credentials.
    throw new RemoteError("remote-header", "GEN_HEADERS must be JSON");
  }
  const isRecord = (candidate: unknown): candidate is object =>
    typeof candidate === "object" &&
    candidate !== null &&
    !Array.isArray(candidate);
  const isValid =
    isRecord(value) &&
    Object.values(value).every(
      (fields) =>
        isRecord(fields) &&
        Object.values(fields).every((field) => typeof field === "string"),
    );
  if (isValid) return value as HostHeaders;
  throw new RemoteError(
    "remote-header",
    'GEN_HEADERS must have the form {"host": {"authorization": "Bearer env:GEN_NAME"}}',
  );
}

/** Returns the origin that a key of the headers setting names. */
function originOf(host: string): string {
  const problem = hostProblem(host);
  if (problem !== undefined) throw new RemoteError("remote-header", problem);
  return new URL(urlOf(host)).origin;
}

/** Returns the URL of a host; the scheme is https unless the key is `http://…`. */
function urlOf(host: string): string {
  return host.startsWith("http://") ? `${host}/` : `https://${host}/`;
}

/**
 * Returns the reason why a host is invalid in the headers setting; undefined if
 * it is valid.
 */
export function hostProblem(host: string): string | undefined {
  const text = urlOf(host);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.href === `${url.origin}/`
    ? undefined
    : `headers: ${JSON.stringify(host)} must be a host such as api.example.com or api.example.com:8443, or http://localhost:8080 for a server without https`;
}

/**
 * Returns the reason why a header is invalid, without its value; undefined if
 * it is valid.
 */
export function headerProblem(
  host: string,
  name: string,
  setting: unknown,
): string | undefined {
  if (!NAME.test(name) || RESERVED.test(name))
    return `headers of ${host}: the header ${JSON.stringify(name)} can't be set`;
  const variable =
    typeof setting === "string" ? VALUE.exec(setting)?.[2] : undefined;
  if (variable === undefined)
    return `headers of ${host}: ${name} must be "env:GEN_NAME" or "Bearer env:GEN_NAME", where GEN_NAME is the name of an environment variable`;
  return variable.startsWith(VARIABLE_PREFIX)
    ? undefined
    : `headers of ${host}: ${name} must refer to an environment variable whose name begins with ${VARIABLE_PREFIX}, not to ${variable}; store the value in ${VARIABLE_PREFIX}${variable}`;
}

/**
 * Returns the value of a header, or an error if its environment variable is not
 * set or not valid.
 *
 * @throws RemoteError if the setting is invalid
 */
function resolveValue(
  host: string,
  name: string,
  setting: string,
  env: NodeJS.ProcessEnv,
): { readonly value: string; readonly secret: string } | RemoteError {
  const subject = `headers of ${host}: ${name}`;
  const problem = headerProblem(host, name, setting);
  if (problem !== undefined) throw new RemoteError("remote-header", problem);
  const [, scheme, variable = ""] = VALUE.exec(setting)!;
  const secret = env[variable]?.trim() ?? "";
  if (secret === "")
    return new RemoteError(
      "remote-header",
      `${subject}: ${variable} is not set`,
    );
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(secret))
    return new RemoteError(
      "remote-header",
      `${subject}: the value of ${variable} must not contain control characters`,
    );
  return {
    value: scheme === undefined ? secret : `${scheme} ${secret}`,
    secret,
  };
}
