/* eslint-disable */
// biome-ignore-all lint: generated

import type { CredentialRules } from "../contract.js";
import type { Credential, MethodInfo } from "../call.js";
import { ApiError, standardError } from "../error.js";
import type { AuthRequest, ServerOptions } from "../options.js";
import { emptyValues, type Values } from "../parameters/parameter-reader.js";
import { readQuery } from "../parameters/query.js";
import type { ServerRequest } from "../request.js";

/**
 * Calls the hooks `authenticate` and `rateLimit`, in this order. Returns the
 * result of `authenticate`.
 *
 * @throws ApiError 429 if the request exceeds the rate limit, or the error that
 *   a hook throws.
 */
export async function authenticate(
  method: MethodInfo,
  request: ServerRequest,
  values: Values,
  options: ServerOptions,
  credential: Credential | undefined,
): Promise<unknown> {
  const authRequest: AuthRequest = {
    method,
    request,
    credential: credential ?? credentialOf(request, values),
    key: apiKeyOf(request, values),
  };
  const auth = await options.authenticate?.(authRequest);
  const limit = await options.rateLimit?.(authRequest, auth);
  if (limit === undefined) return auth;
  const fail =
    limit.message === undefined
      ? standardError(429, "Too many requests.")
      : new ApiError(429, limit.message);
  throw new ApiError(429, fail.message, {
    ...fail.extras,
    headers: {
      "retry-after": String(Math.max(0, Math.ceil(limit.retryAfter))),
    },
  });
}

/**
 * Calls the hook `authenticateBatch` before the body of a batch is read.
 *
 * @throws the error that the hook throws.
 */
export async function authenticateBatch(
  request: ServerRequest,
  options: Pick<ServerOptions, "authenticateBatch">,
): Promise<void> {
  if (options.authenticateBatch === undefined) return;
  const values = emptyValues();
  const { target } = request;
  const mark = target.indexOf("?");
  const add = (name: string, value: string): unknown => (values[name] = value);
  if (mark !== -1) readQuery(target.slice(mark + 1), { add });
  await options.authenticateBatch({
    request,
    credential: credentialOf(request, values),
    key: apiKeyOf(request, values),
  });
}

/**
 * Returns the credential that the API requires in a header.
 *
 * @throws ApiError 401 if the credential is missing, or its scheme is not
 *   allowed.
 */
export function requiredCredential(
  { header, schemes = [] }: CredentialRules,
  request: ServerRequest,
): Credential {
  const value = request.header(header.toLowerCase()) ?? "";
  const credential =
    schemes.length === 0
      ? { scheme: "", token: value }
      : parseCredential(value);
  const isKnown =
    schemes.length === 0 ||
    schemes.some((scheme) => scheme.toLowerCase() === credential.scheme);
  if (isKnown && credential.token !== "") return credential;
  const headers = { "www-authenticate": schemes[0] ?? "Bearer" };
  throw standardError(401, "The credential is missing.", { headers });
}

function credentialOf(
  request: ServerRequest,
  { access_token, oauth_token }: Values,
): Credential | undefined {
  const header = request.header("authorization");
  if (header !== undefined && header !== "") return parseCredential(header);
  const token = access_token ?? oauth_token;
  return typeof token === "string" && token !== ""
    ? { scheme: "bearer", token }
    : undefined;
}

/**
 * Parses a credential of the form `scheme token`. A value without a space does
 * not contain a scheme.
 */
export function parseCredential(header: string): Credential {
  const blank = header.indexOf(" ");
  return blank === -1
    ? { scheme: "", token: header }
    : {
        scheme: header.slice(0, blank).toLowerCase(),
        token: header.slice(blank + 1).trim(),
      };
}

function apiKeyOf(request: ServerRequest, { key }: Values): string | undefined {
  if (typeof key === "string" && key !== "") return key;
  return request.header("x-goog-api-key");
}
