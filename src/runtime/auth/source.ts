import type { Source } from "./contract.js";
import { CredentialsError } from "./error.js";

/** Returns the headers of credentials for a request, with names in lower case. */
export async function sourceHeaders(
  source: Source,
  url: string,
): Promise<Record<string, string>> {
  const headers =
    "getRequestHeaders" in source
      ? await source.getRequestHeaders(url)
      : await source.headers({ url });
  const plain: Record<string, string> = {};
  const set = (value: string | null | undefined, name: string): void => {
    if (value != null) plain[name.toLowerCase()] = value;
  };
  // Types of older compilers for browsers have no iterator of headers.
  if (headers instanceof Headers) headers.forEach(set);
  else
    for (const [name, value] of Object.entries(
      headers as Readonly<Record<string, string | null | undefined>>,
    ))
      set(value, name);
  return plain;
}

/**
 * Returns the access token of credentials.
 *
 * @throws CredentialsError for credentials without a token, such as an API key.
 */
export async function sourceToken(
  source: Source,
  url: string,
): Promise<string> {
  const { authorization = "" } = await sourceHeaders(source, url);
  const token = /^Bearer ([!-~]+)$/i.exec(authorization)?.[1];
  if (!token)
    throw new CredentialsError("the source credentials have no access token");
  return token;
}

/**
 * Runs a token request with source credentials. If the server rejects their
 * token with status 401, the token is replaced and the request repeated once.
 */
export async function withSource<T>(
  source: Source,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (thrown) {
    if ((thrown as CredentialsError).status !== 401 || !("refresh" in source))
      throw thrown;
    await source.refresh();
    return request();
  }
}

/**
 * Returns the domain of the APIs of credentials.
 *
 * @throws CredentialsError for text that is not a domain.
 */
export function universeOf(domain: string | undefined): string {
  const universe = domain || "googleapis.com";
  if (/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(universe)) return universe;
  throw new CredentialsError("the universe domain must be a domain");
}

/**
 * Returns the domain of the token servers that the caller permits. A file could
 * otherwise choose the servers that receive tokens.
 *
 * @param declared `universe_domain` of the file.
 * @throws CredentialsError if the file declares another domain.
 */
export function permittedUniverse(
  declared: string | undefined,
  permitted: string | undefined,
): string {
  const universe = universeOf(permitted);
  if ((declared ?? "googleapis.com") === universe) return universe;
  throw new CredentialsError(
    `universe_domain must be ${universe}; set the option universeDomain to use another one`,
  );
}

/**
 * Checks members of a file that are required.
 *
 * @throws CredentialsError for a member that is missing, empty, or not a string.
 */
export function requireStrings(
  members: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(members))
    if (typeof value !== "string" || !value)
      throw new CredentialsError(`${name} must be a string`);
}
