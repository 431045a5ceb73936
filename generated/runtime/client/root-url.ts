/* eslint-disable */
// biome-ignore-all lint: generated

import type { LocatedOptions } from "./options.js";
import { ownValue } from "./own-value.js";
import type { Service } from "./service.js";

/**
 * Returns the root URL that results from the settings `location`, `mtls` and
 * `universeDomain`.
 *
 * @throws TypeError for a location without an endpoint of the API, and for an
 *   invalid domain.
 */
export function resolveRootUrl(
  { rootUrl, mtlsRootUrl, endpoints = {} }: Service,
  { rootUrl: own, location, mtls, universeDomain }: LocatedOptions,
): string {
  if (own !== undefined) {
    if (!/^https?:\/\/[^\s/?#@]+(\/[^?#]*)?$/i.test(own))
      throw new TypeError("rootUrl must be an absolute http(s) URL");
    return own;
  }
  let root: string | undefined = rootUrl;
  let domain = universeDomain || "googleapis.com";
  if (location !== undefined) {
    root = ownValue(endpoints, location);
    if (!root) throw new TypeError(`location ${location} is unknown`);
  } else if (mtls) {
    if (mtlsRootUrl) root = mtlsRootUrl;
    else domain = `mtls.${domain}`;
  }
  if (!/^[a-z\d.-]+$/i.test(domain))
    throw new TypeError("universeDomain must be a domain");
  const googleDomain = /^(https:\/\/[^/:]*\.)googleapis\.com(?=[/:]|$)/;
  return root.replace(googleDomain, `$1${domain}`);
}
