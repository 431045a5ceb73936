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
  { location, mtls, universeDomain }: LocatedOptions,
): string {
  let root: string | undefined = rootUrl;
  if (mtls) root = mtlsRootUrl ?? replaceDomain(root, "mtls.googleapis.com");
  if (location !== undefined) {
    root = ownValue(endpoints, location);
    if (!root) throw new TypeError(`location ${location} is unknown`);
  }
  if (!universeDomain) return root;
  if (!/^[a-z\d.-]+$/i.test(universeDomain))
    throw new TypeError("universeDomain must be a domain");
  return replaceDomain(root, universeDomain);
}

/** Replaces the domain `googleapis.com` in a URL. */
function replaceDomain(root: string, domain: string): string {
  const googleDomain = /^(https:\/\/[^/:]*\.)googleapis\.com(?=[/:]|$)/;
  return root.replace(googleDomain, `$1${domain}`);
}
