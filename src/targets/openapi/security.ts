import type { Api, Credential, Method, Scope } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import {
  jsonMembers,
  jsonObject,
  type JsonObject,
} from "../json-schema/json.js";
import type { OpenapiContext } from "./context.js";

/** Key of the security scheme for OAuth 2.0 scopes. */
const OAUTH = "oauth2";

/**
 * Key of the security scheme for API keys, which are sent in the common `key`
 * parameter.
 */
const API_KEY = "apiKey";

/** Endpoints of Google's authorization server. */
const GOOGLE = {
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
};

/**
 * Returns `components/securitySchemes`, which contains all security schemes of
 * the API.
 */
export function securitySchemes(context: OpenapiContext): JsonObject {
  const { api } = context;
  const methods = methodsOf(api.root);
  const scopes = scopesOf(api, methods);
  const credentials = new Map(
    methods.flatMap(({ credential }) =>
      credential === undefined
        ? []
        : [[credentialKey(credential), credential] as const],
    ),
  );
  return jsonMembers([
    [OAUTH, scopes.length === 0 ? undefined : oauth(scopes, context)],
    [
      API_KEY,
      needsApiKey(api, methods)
        ? { type: "apiKey", in: "query", name: "key" }
        : undefined,
    ],
    ...[...credentials].map(
      ([key, credential]) => [key, credentialScheme(credential)] as const,
    ),
  ]);
}

/**
 * Returns the scopes that the document declares, followed by scopes that are
 * listed only by methods.
 */
function scopesOf({ scopes }: Api, methods: readonly Method[]): Scope[] {
  const declared = new Set(scopes.map(({ name }) => name));
  const others = new Set(methods.flatMap((method) => method.scopes));
  return [
    ...scopes,
    ...[...others]
      .filter((name) => !declared.has(name))
      .map((name) => ({ name })),
  ];
}

/**
 * Returns the security scheme for OAuth 2.0. Documents do not contain the URLs
 * of the authorization server. If the API is on a Google host, Google's
 * authorization server is used; otherwise, the scheme is a bearer token.
 */
function oauth(
  scopes: readonly Scope[],
  { api, degradations }: OpenapiContext,
): JsonObject {
  const list = jsonMembers(
    scopes.map(({ name, description = "" }) => [name, description]),
  );
  if (isGoogle(api))
    return {
      type: "oauth2",
      flows: { authorizationCode: { ...GOOGLE, scopes: list } },
    };
  degradations.report(
    "oauth",
    "the document does not specify the authorization server for its scopes; the exported scheme is a bearer token",
    "/auth/oauth2",
  );
  return { type: "http", scheme: "bearer", "x-discovery-scopes": list };
}

function isGoogle({ rootUrl }: Api): boolean {
  return (
    URL.canParse(rootUrl) &&
    /(?:^|\.)(?:googleapis|google)\.com$/.test(new URL(rootUrl).hostname)
  );
}

function hasApiKey({ parameters }: Api): boolean {
  return parameters.some(
    ({ name, location }) => name === "key" && location === "query",
  );
}

/** Tests whether at least one method can be called with only an API key. */
function needsApiKey(api: Api, methods: readonly Method[]): boolean {
  return hasApiKey(api) && methods.some((method) => isOpen(method));
}

function isOpen({ scopes, credential }: Method): boolean {
  return scopes.length === 0 && credential === undefined;
}

function credentialKey({ in: location, name, schemes }: Credential): string {
  const parts = ["credential", location, name, ...schemes];
  return parts.join("-").replace(/[^A-Za-z0-9._-]/g, "_");
}

function credentialScheme({
  in: location,
  name,
  schemes,
  description,
}: Credential): JsonObject {
  const isBearer =
    /^authorization$/i.test(name) &&
    schemes.some((scheme) => /^bearer$/i.test(scheme));
  return jsonObject({
    ...(location === "header" && isBearer
      ? { type: "http", scheme: "bearer" }
      : { type: "apiKey", in: location, name }),
    description,
    "x-discovery-schemes": schemes.length === 0 ? undefined : [...schemes],
  });
}

/**
 * Returns the alternative security requirements of a method: one of its scopes,
 * or the method's credential. A method with neither requires nothing, and also
 * accepts an API key if the API has a `key` parameter.
 */
export function securityOf(
  { scopes, credential }: Method,
  { api }: OpenapiContext,
): JsonObject[] {
  const isOauth = isGoogle(api);
  const unique = [...new Set(scopes)];
  const alternatives: JsonObject[] =
    unique.length > 0 && !isOauth
      ? [{ [OAUTH]: [] }]
      : unique.map((scope) => ({ [OAUTH]: [scope] }));
  if (credential !== undefined)
    alternatives.push({ [credentialKey(credential)]: [] });
  if (alternatives.length > 0) return alternatives;
  return [...(hasApiKey(api) ? [{ [API_KEY]: [] }] : []), {}];
}
