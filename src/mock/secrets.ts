import type { Params } from "./mock-context.js";

/** Text that replaces a secret. */
export const REMOVED = "[removed]";

/** Headers that contain credentials. */
const SECRET_HEADERS =
  /^((proxy-)?authorization|(set-)?cookie|x-(goog-)?api-key|x-goog-iam-authorization-token|x-goog-(copy-source-)?encryption-key)$/i;

/** Names of query parameters that contain credentials. */
const SECRET_PARAMETERS =
  /^(key|api_?key|(access|oauth|refresh|id)_?token|client_secret|password|assertion|(x-(goog|amz)-)?signature)$/i;

/** Names of JSON members that contain credentials. */
const SECRET_MEMBERS =
  /^(access_?token|refresh_?token|id_?token|client_?secret|private_?key(_?data)?|password|api_?key|key_?string|secret)$/i;

/** Maximum depth up to which members are searched for secrets. */
const MAX_DEPTH = 100;

/** Returns the headers of a platform's request object. */
export function headersOf(raw: unknown): [name: string, value: string][] {
  const { headers } = Object(raw) as { headers?: unknown };
  const entries: [string, unknown][] =
    headers instanceof Headers
      ? [...headers]
      : Object.entries(Object(headers) as object);
  return entries.map(([name, value]) => [name, String(value)]);
}

/** Returns the headers of a platform's request object without credentials. */
export function publicHeaders(raw: unknown): Record<string, string> {
  return Object.fromEntries(
    headersOf(raw).map(([name, value]) => [
      name.toLowerCase(),
      isSecretHeader(name) ? masked(value) : value,
    ]),
  );
}

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.test(name);
}

/** Keeps the scheme of a credential, such as `Bearer`. */
function masked(value: string): string {
  const scheme = /^(bearer|basic|digest) /i.exec(value)?.[0] ?? "";
  return scheme + REMOVED;
}

/** Returns a path and query whose secret parameters are replaced. */
export function publicPath(target: string): string {
  const mark = target.indexOf("?");
  if (mark === -1) return target;
  const query = target
    .slice(mark + 1)
    .split("&")
    .map((pair) => {
      const end = pair.indexOf("=");
      const name = end === -1 ? pair : pair.slice(0, end);
      return isSecretParameter(name) && end !== -1
        ? `${name}=${encodeURIComponent(REMOVED)}`
        : pair;
    });
  return `${target.slice(0, mark)}?${query.join("&")}`;
}

/** Replaces the secret query parameters of all URLs in a text. */
export function withoutSecretParameters(text: string): string {
  return text.replace(
    /([?&])([^=&?#\s<>"]+)=[^&#\s<>"]*/g,
    (pair, mark: string, name: string) =>
      isSecretParameter(name)
        ? `${mark}${name}=${encodeURIComponent(REMOVED)}`
        : pair,
  );
}

export function isSecretParameter(name: string): boolean {
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // A name that is not valid is compared as it is.
  }
  return SECRET_PARAMETERS.test(decoded);
}

/** Returns a copy of decoded parameters whose secret values are replaced. */
export function publicParameters(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      SECRET_PARAMETERS.test(name) ? REMOVED : value,
    ]),
  );
}

/** Returns a copy of a JSON value whose secret members are replaced. */
export function withoutSecrets(value: unknown, depth: number = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value))
    return value.map((element) => withoutSecrets(element, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_MEMBERS.test(name) && typeof member === "string"
        ? REMOVED
        : withoutSecrets(member, depth + 1),
    ]),
  );
}
