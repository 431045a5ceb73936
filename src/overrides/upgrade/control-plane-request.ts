import { request as plainRequest, type IncomingMessage } from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import { connect as secureConnect } from "node:tls";
import { openTunnel, proxyOf } from "../../platform/proxy.js";

/**
 * HTTP request to the control plane. Redirects are not followed, because a
 * redirect could send the access token to another host.
 */
export interface ControlPlaneRequest {
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
  // Plain http URLs are allowed only for the local machine, which needs no
  // proxy.
  const proxy = url.protocol === "https:" ? proxyOf(url, env) : undefined;
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
    // An HTTP agent would ignore createConnection and bypass the proxy tunnel.
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
