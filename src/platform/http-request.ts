import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { proxyAuthorization, proxyOf } from "./proxy.js";

/** HTTP request, with the settings of its connection. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Signal that closes the connection, even while the body is read. */
  readonly signal: AbortSignal;
  /** Maximum time in milliseconds without data from the server. */
  readonly idle: number;
  /** Environment variables with the proxy settings. */
  readonly env: NodeJS.ProcessEnv;
  /** Function that resolves the host name, unless a proxy resolves it. */
  readonly lookup?: LookupFunction | undefined;
  /** Trusted certificates. Default: the list that Node.js contains. */
  readonly ca?: string | undefined;
}

/** Response whose body has not been read yet. */
export type HttpResponse = Dispatcher.ResponseData;

/**
 * Sends a request, through a proxy if the environment specifies one, and passes
 * the response to `read`. Closes the connection when `read` has ended. Redirects
 * are not followed.
 *
 * @throws the reason of the signal if it is aborted, otherwise an error that
 *   does not contain credentials
 */
export async function withResponse<T>(
  url: URL,
  request: HttpRequest,
  read: (response: HttpResponse) => Promise<T>,
): Promise<T> {
  const { method, headers, body = null, signal, idle, env } = request;
  signal.throwIfAborted();
  const proxy = proxyOf(url, env);
  const dispatcher = await dispatcherOf(proxy, request);
  // The signal destroys the dispatcher, because undici does not abort a request
  // that waits for a proxy.
  const stop = (): void => void dispatcher.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop);
  try {
    const response = await dispatcher
      .request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers,
        body,
        headersTimeout: idle,
        bodyTimeout: idle,
      })
      .catch((error: unknown) => {
        if (proxy === undefined) throw error;
        throw new Error(`the proxy ${proxy.host}: ${reasonOf(error, idle)}`);
      });
    response.body.on("error", () => {});
    return await read(response);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await dispatcher.destroy();
  }
}

async function dispatcherOf(
  proxy: URL | undefined,
  { idle, lookup, ca }: HttpRequest,
): Promise<Dispatcher> {
  // Most runs send no request, so the library is loaded by the first one.
  const { default: undici } = await import("undici");
  const { Agent, Client, ProxyAgent } = undici;
  const trust = ca === undefined ? {} : { ca };
  const timeout = { timeout: idle };
  if (proxy === undefined)
    return new Agent({
      connect: { ...trust, ...timeout, ...(lookup && { lookup }) },
    });
  const token = proxyAuthorization(proxy);
  const agent: Dispatcher = new ProxyAgent({
    uri: proxy.origin,
    ...(token && { token }),
    // http requests are sent with the complete URL (RFC 9112, section 3.2.2).
    proxyTunnel: false,
    requestTls: { ...trust, ...timeout },
    proxyTls: timeout,
    // Without this, undici connects to a proxy that closes each connection again
    // and again. A connection that becomes a tunnel has the code UND_ERR_INFO.
    clientFactory: (origin, options) =>
      new Client(origin, { ...options, headersTimeout: idle }).on(
        "disconnect",
        (_origin, _targets, error) => {
          if (error.code !== "UND_ERR_INFO") void agent.destroy(error);
        },
      ),
  });
  return agent;
}

/** Returns the reason of a failed request or of an incomplete body. */
export function reasonOf(error: unknown, idle: number): string {
  const { message, code = "no connection" } = error as NodeJS.ErrnoException;
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code))
    return `the server sent no data for ${idle} ms`;
  if (code === "UND_ERR_SOCKET") return "the connection was closed";
  // If connections to several addresses failed, Node.js reports an error
  // without a message.
  return message === "" ? code : message;
}
