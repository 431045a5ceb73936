import {
  withResponse,
  type HttpResponse,
} from "../../platform/http-request.js";

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
