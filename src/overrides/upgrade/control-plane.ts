import {
  withResponse,
  type HttpResponse,
} from "../../platform/http-request.js";

/**
 * Pattern for the host names of the vendor's control plane, with an optional
 * region prefix.
 */
const KNOWN_HOST = /^([a-z0-9-]+-)?apigee\.googleapis\.com$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the reason why the access token must not be sent to a control plane
 * URL; undefined if it can be sent.
 * @param isExplicit true if the URL was passed as `--api`, false if it comes
 *   from the overrides file
 */
export function controlPlaneProblem(
  text: string,
  isExplicit: boolean,
): string | undefined {
  const source = isExplicit ? "--api" : "contractProvider";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `${source} must be a URL such as https://apigee.googleapis.com`;
  }
  const { protocol, hostname, host, username, password, search, hash } = url;
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    return `${source} must be a URL without credentials, query or fragment`;
  const isLocal = isExplicit && LOOPBACK.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    return `${source} must be an https URL, because step P6 sends a gcloud access token to it`;
  if (!isExplicit && !KNOWN_HOST.test(host))
    return `contractProvider contains the host ${host}, which is not a known control plane; step P6 would send a gcloud access token to this host; if you trust the host, pass its URL as --api`;
  return undefined;
}

/**
 * HTTP request to the control plane. Redirects are not followed, because a
 * redirect could send the access token to another host.
 */
interface ControlPlaneRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout in milliseconds for the request and the complete response body. */
  readonly timeout: number;
  /** Environment variables. Only HTTPS_PROXY and NO_PROXY are used. */
  readonly env: NodeJS.ProcessEnv;
  /**
   * Certificates of the certificate authorities that are trusted instead of the
   * default ones.
   */
  readonly ca?: string;
}

/** Maximum size of a response body in bytes. */
const MAX_RESPONSE = 8 << 20;

/**
 * Sends a request, through a proxy if the environment specifies one. Rejects
 * with the reason if the request fails.
 */
export async function sendRequest(
  url: URL,
  { timeout, env, ...request }: ControlPlaneRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const signal = AbortSignal.timeout(timeout);
  // Plain http URLs are allowed only for the local machine, which needs no
  // proxy.
  const proxies = url.protocol === "https:" ? env : {};
  const settings = { ...request, env: proxies, signal, idle: timeout };
  try {
    return await withResponse(url, settings, async (response) => ({
      status: response.statusCode,
      text: await readText(response),
    }));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`${url.host} did not respond within ${timeout / 1000} s`, {
      cause: error,
    });
  }
}

async function readText({ body }: HttpResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > MAX_RESPONSE)
      throw new Error(
        `the response must not be larger than ${MAX_RESPONSE >> 20} MiB`,
      );
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

interface OrganizationProperty {
  readonly name: string;
  readonly value: string;
}

interface Organization {
  readonly properties?: { readonly property?: readonly OrganizationProperty[] };
}

/** Timeout of HTTP requests in milliseconds. */
const TIMEOUT = 30_000;

/**
 * Sets properties of an organization to "true". The request also contains all
 * existing properties, because the API deletes properties that are missing from
 * a request. Rejects with the reason if a request fails.
 */
export async function setOrganizationProperties(
  api: string,
  org: string,
  names: readonly string[],
  token: string,
): Promise<void> {
  const url = `${api.replace(/\/$/, "")}/v1/organizations/${encodeURIComponent(org)}`;
  const before = await requestOrganization(url, token, "GET");
  const others = (before.properties?.property ?? []).filter(
    ({ name }) => !names.includes(name),
  );
  const added = names.map((name) => ({ name, value: "true" }));
  if (!hasAll(before, names))
    await requestOrganization(url, token, "PUT", {
      ...before,
      properties: { property: [...others, ...added] },
    });
  if (!hasAll(await requestOrganization(url, token, "GET"), names))
    throw new Error(
      `the organization does not have the properties ${names.join(", ")}, although they were set`,
    );
}

function hasAll(
  { properties }: Organization,
  names: readonly string[],
): boolean {
  return names.every((wanted) =>
    (properties?.property ?? []).some(
      ({ name, value }) => name === wanted && value === "true",
    ),
  );
}

async function requestOrganization(
  url: string,
  token: string,
  method: string,
  body?: unknown,
): Promise<Organization> {
  const { status, text } = await sendRequest(new URL(url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeout: TIMEOUT,
    env: process.env,
  });
  if (status < 200 || status > 299)
    throw new Error(`${method} ${new URL(url).host} responded with ${status}`);
  return parseOrganization(text);
}

function parseOrganization(text: string): Organization {
  try {
    const value = JSON.parse(text) as Organization | null;
    const list = value?.properties?.property ?? [];
    if (typeof value === "object" && value !== null && Array.isArray(list))
      return value;
  } catch {
    // The code after this block throws an error if the JSON is invalid.
  }
  throw new Error("the response must be an organization in JSON format");
}
