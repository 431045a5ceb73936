import { request as plainRequest, type IncomingMessage } from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { connect as secureConnect } from "node:tls";

/**
 * HTTP request to the control plane. Redirects are not followed, because they
 * could send the access token to another host.
 */
export interface ControlPlaneRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout in milliseconds, including the complete response body. */
  readonly timeout: number;
  /** Environment variables, of which HTTPS_PROXY and NO_PROXY are used. */
  readonly env: NodeJS.ProcessEnv;
  /** Certificate authorities to trust instead of the default ones. */
  readonly ca?: string;
}

/** Maximum size of a response body in bytes. */
const MAX_RESPONSE = 8 << 20;

/**
 * Sends a request, through the proxy that the environment specifies. If it
 * fails, rejects with the reason.
 */
export async function sendRequest(
  url: URL,
  request: ControlPlaneRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const signal = AbortSignal.timeout(request.timeout);
  try {
    return await exchange(url, request, signal);
  } catch (error) {
    if (signal.aborted)
      throw new Error(
        `${url.host} did not respond within ${request.timeout / 1000} s`,
        { cause: error },
      );
    throw error;
  }
}

async function exchange(
  url: URL,
  { method, headers, body, env, ca }: ControlPlaneRequest,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const proxy = proxyOf(url, env);
  const trust = ca === undefined ? {} : { ca };
  const tunnel =
    proxy === undefined ? undefined : await openTunnel(proxy, url, signal);
  const options: RequestOptions = {
    method,
    headers: {
      ...headers,
      host: url.host,
      ...(body === undefined
        ? {}
        : { "content-length": Buffer.byteLength(body) }),
    },
    signal,
    ...trust,
    // An agent would ignore createConnection and bypass the tunnel.
    ...(tunnel === undefined
      ? { agent: false }
      : {
          createConnection: () =>
            secureConnect({
              socket: tunnel,
              servername: url.hostname,
              ...trust,
            }),
        }),
  };
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = send(url, options, (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    if (size > MAX_RESPONSE)
      throw new Error(
        `the response must not be larger than ${MAX_RESPONSE >> 20} MiB`,
      );
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Opens a tunnel through a proxy with the CONNECT method (RFC 9110, section
 * 9.3.6).
 */
function openTunnel(
  proxy: URL,
  { hostname, port }: URL,
  signal: AbortSignal,
): Promise<Duplex> {
  const target = `${hostname}:${port === "" ? 443 : port}`;
  const { username, password } = proxy;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const send = proxy.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = send({
      host: proxy.hostname,
      port:
        proxy.port === ""
          ? proxy.protocol === "https:"
            ? 443
            : 80
          : proxy.port,
      method: "CONNECT",
      path: target,
      headers: {
        host: target,
        ...(username === ""
          ? {}
          : {
              "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}`,
            }),
      },
      signal,
      agent: false,
    });
    sent.on("connect", ({ statusCode }, socket: Duplex) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} responded with ${statusCode}`));
    });
    sent.on("response", ({ statusCode }) => {
      sent.destroy();
      reject(new Error(`the proxy ${proxy.host} responded with ${statusCode}`));
    });
    sent.on("error", (error) =>
      reject(new Error(`the proxy ${proxy.host}: ${error.message}`)),
    );
    sent.end();
  });
}

/**
 * Returns the proxy for a URL; undefined for http, which is allowed only for
 * the local machine.
 */
export function proxyOf(
  { protocol, hostname }: URL,
  env: NodeJS.ProcessEnv,
): URL | undefined {
  if (protocol !== "https:") return undefined;
  const text = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  if (
    text === "" ||
    isExempt(hostname, env["no_proxy"] ?? env["NO_PROXY"] ?? "")
  )
    return undefined;
  let proxy: URL | undefined;
  try {
    proxy = new URL(text.includes("://") ? text : `http://${text}`);
  } catch {
    // The message omits the value, because it can contain credentials.
  }
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol))
    throw new Error("HTTPS_PROXY must be an http or https URL");
  return proxy;
}

/**
 * Returns whether NO_PROXY excludes a host from the proxy. Entries are `*`,
 * hosts, and domains with or without a leading dot.
 */
function isExempt(hostname: string, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/:\d+$/, "").replace(/^\*?\./, ""))
    .some(
      (entry) =>
        entry === "*" ||
        (entry !== "" &&
          (hostname === entry || hostname.endsWith(`.${entry}`))),
    );
}
