import {
  request as plainRequest,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { connect as secureConnect } from "node:tls";
import {
  bareHost,
  openTunnel,
  proxyAuthorization,
  proxyOf,
} from "../../platform/proxy.js";
import { guardedLookup } from "./guarded-lookup.js";
import type { HttpSettings } from "./http-settings.js";

/** Response whose body has not been read yet. */
export interface PendingResponse {
  readonly message: IncomingMessage;
  /**
   * Signal that is aborted if the request fails. Without it, Node.js would
   * report a truncated body of unknown length as complete.
   */
  readonly signal: AbortSignal;
}

/**
 * Sends a GET request, through a proxy if the environment specifies one, and
 * waits for the response headers. Redirects are not followed. The caller must
 * have checked the URL.
 */
export async function sendRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  settings: HttpSettings,
  deadline: AbortSignal,
): Promise<PendingResponse> {
  const failure = new AbortController();
  const signal = AbortSignal.any([deadline, failure.signal]);
  const proxy = proxyOf(url, settings.env);
  const route =
    proxy === undefined
      ? { agent: false, lookup: guardedLookup(settings) }
      : await proxyRoute(proxy, url, settings, signal);
  const options: RequestOptions = {
    method: "GET",
    signal,
    ...trustOf(settings),
    ...route,
    headers: { ...headers, host: url.host, ...route.headers },
  };
  const isSecure = url.protocol === "https:";
  const send = isSecure ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent: ClientRequest =
      "path" in route ? plainOrSecure(proxy!)(options) : send(url, options);
    const fail = (error: Error): void => {
      reject(error);
      failure.abort(error);
    };
    const { idle } = settings.limits;
    sent.setTimeout(idle, () =>
      fail(new Error(`the server sent nothing for ${idle} ms`)),
    );
    sent.on("response", (message) => resolve({ message, signal }));
    sent.on("error", fail);
    sent.end();
  });
}

/** Request options for a connection through a proxy. */
interface ProxyRoute extends Omit<RequestOptions, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns the request options for a connection through a proxy: a tunnel for
 * https, the complete URL as request target for http (RFC 9112, section 3.2.2).
 */
async function proxyRoute(
  proxy: URL,
  url: URL,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<ProxyRoute> {
  if (url.protocol === "https:") {
    const socket = await openTunnel(proxy, url, signal);
    const host = bareHost(url);
    const servername = isIP(host) === 0 ? { servername: host } : {};
    return {
      // An HTTP agent would ignore createConnection and bypass the proxy
      // tunnel.
      createConnection: () =>
        secureConnect({ socket, ...servername, ...trustOf(settings) }),
    };
  }
  const authorization = proxyAuthorization(proxy);
  return {
    agent: false,
    host: bareHost(proxy),
    port: proxy.port,
    path: url.href,
    ...(authorization === undefined
      ? {}
      : { headers: { "proxy-authorization": authorization } }),
  };
}

function plainOrSecure(proxy: URL): typeof plainRequest {
  return proxy.protocol === "https:" ? secureRequest : plainRequest;
}

function trustOf({ ca }: HttpSettings): { readonly ca?: string } {
  return ca === undefined ? {} : { ca };
}
