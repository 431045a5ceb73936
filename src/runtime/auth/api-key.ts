import type { Credentials } from "./contract.js";
import { CredentialsError } from "./error.js";

/**
 * Returns credentials that send an API key in the `x-goog-api-key` header, where
 * it can't appear in logs of URLs. An API key identifies a project, not a user.
 *
 * @throws CredentialsError for a key that can't be a header value.
 */
export function apiKey(key: string): Credentials {
  if (typeof key !== "string" || !/^[!-~]+$/.test(key))
    throw new CredentialsError(
      "the API key must be printable ASCII text without spaces",
    );
  return {
    headers: async () => ({ "x-goog-api-key": key }),
    refresh() {},
  };
}
