import { request as plainRequest, type IncomingMessage } from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { connect as secureConnect } from "node:tls";

/** Request of the control plane. Redirects are not followed: they could lead the token elsewhere. */
export interface PlaneRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole response. */
  readonly timeout: number;
  /** Proxies as HTTPS_PROXY and NO_PROXY name them. */
  readonly env: NodeJS.ProcessEnv;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string;
}

/** Longest response that is read, in bytes. */
const MAX_RESPONSE = 8 << 20;

/** Sends a request, by a proxy where the environment names one. Rejects with a reason. */
export async function send(
  url: URL,
  request: PlaneRequest,
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
  { method, headers, body, env, ca }: PlaneRequest,
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
    // An agent would open connections itself, and ignore createConnection.
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
      throw new Error(`the response must be up to ${MAX_RESPONSE >> 20} MiB`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Connects to the host of a URL by CONNECT (RFC 9110, section 9.3.6). */
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

/** The proxy for a URL; undefined for plain connections, which stay on this machine. */
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
    // The value may hold credentials.
  }
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol))
    throw new Error("HTTPS_PROXY must be an http or https URL");
  return proxy;
}

/** Entries are `*`, hosts, and domains with or without a leading dot. */
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
