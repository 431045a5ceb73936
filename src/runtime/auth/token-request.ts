import type {
  AccessToken,
  TokenRequestOptions,
  TokenResponse,
} from "./contract.js";
import { CredentialsError } from "./error.js";

/** Largest response of a token server in characters. */
const MAX_LENGTH = 1_000_000;

/** Number of attempts of a token request. */
const ATTEMPTS = 3;

/** Object of a JSON response. Types of the values are not checked. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Returns a form body without the fields that are undefined. */
export function formBody(
  fields: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const form = new URLSearchParams();
  for (const name in fields)
    if (fields[name] !== undefined) form.set(name, fields[name]);
  return form;
}

/**
 * Checks a URL of a key file to which secrets are sent.
 *
 * @throws CredentialsError for a URL that is neither https nor on this machine,
 *   and for a URL with a user name.
 */
export function checkUrl(url: unknown, name: string): string {
  const allowed =
    /^(https|http(?=:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])):\/\/[^\s\\@]+$/;
  if (allowed.test(url as string)) return url as string;
  throw new CredentialsError(`${name} must be an https URL`);
}

/**
 * Sends a token request, up to three times: after network errors, timeouts, and
 * status 408, 429 or 5xx. Redirects are not followed, because the request
 * contains secrets.
 *
 * @throws CredentialsError (as a rejection) for all failures.
 */
export async function sendTokenRequest(
  url: string,
  init: RequestInit,
  { fetch: send = fetch, timeout = 10_000 }: TokenRequestOptions,
  attempts: number = ATTEMPTS,
): Promise<TokenResponse> {
  const host = url.split("/")[2]!;
  for (let attempt = 1; ; attempt++) {
    // Failures without a status, such as timeouts, are repeated.
    let status = 500;
    try {
      const response = await send(url, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(timeout),
      });
      const { headers, ok } = response;
      const serverTime = Date.parse(headers.get("date")!) || Date.now();
      const result = { text: await readText(response), headers, serverTime };
      if (ok) return result;
      ({ status } = response);
      throw statusError(`${host}: ${status}`, status, result);
    } catch (thrown) {
      if (attempt >= attempts || !/408|429|5../.test(`${status}`)) {
        if (thrown instanceof CredentialsError) throw thrown;
        // Messages of the platform can contain the URL, and so the query.
        const { cause, name } = thrown as Error & { cause?: { code?: string } };
        throw new CredentialsError(
          `no response from ${host}: ${cause?.code ?? name}`,
        );
      }
      const delay = 1000 * attempt * Math.random();
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

/** Reads a body of limited size, so that a hostile server can't exhaust the memory. */
async function readText({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_LENGTH) {
      void reader!.cancel().catch(() => {});
      throw new CredentialsError("the response is too large");
    }
  }
}

/**
 * Returns the error for a status other than 2xx, with OAuth's or the API's code
 * and message. Servers can repeat what they received, so long words, which can
 * be tokens or passwords, are omitted.
 */
function statusError(
  prefix: string,
  status: number,
  response: TokenResponse,
): CredentialsError {
  const { error, error_description } = parseFields(response);
  const { status: name = error, message = error_description } = Object(error);
  const code = /^([a-z_]+|[A-Z_]+)$/.exec(name ?? "")?.[0];
  const text = [prefix, code, message].join(" ").trim();
  return new CredentialsError(
    text.replace(/[\w+=-]{20,}/g, "…").slice(0, 500),
    { status, code },
  );
}

/** Parses a response. A response that is not a JSON object has no fields. */
export function parseFields({ text }: TokenResponse): JsonFields {
  try {
    return Object(JSON.parse(text)) as JsonFields;
  } catch {
    return {};
  }
}

/**
 * Returns the token of a response.
 *
 * @param name property that contains the token.
 * @param seconds lifetime in seconds, as received. A missing or invalid value
 *   counts as five minutes.
 * @throws CredentialsError if the token can't be part of a header.
 */
export function accessToken(
  fields: JsonFields,
  name = "access_token",
  seconds: unknown = fields["expires_in"],
): AccessToken {
  const token = fields[name];
  if (typeof token !== "string" || !/^[!-~]+$/.test(token))
    throw new CredentialsError(`the response has no valid ${name}`);
  const milliseconds = Number(seconds) * 1000;
  return { token, lifetime: milliseconds > 0 ? milliseconds : 300_000 };
}
