import type { LocatedOptions } from "./options.js";
import type { Service } from "./service.js";

/**
 * Returns the root URL for the settings `location`, `mtls` and `universeDomain`.
 *
 * @throws TypeError for a location that the service does not have, and for an
 *   invalid domain.
 */
export function resolveRootUrl(
  { rootUrl, mtlsRootUrl, endpoints = {} }: Service,
  { location, mtls, universeDomain }: LocatedOptions,
): string {
  let root: string | undefined = rootUrl;
  if (mtls) root = mtlsRootUrl ?? replaceDomain(root, "mtls.googleapis.com");
  if (location !== undefined) {
    root = Object.hasOwn(endpoints, location) ? endpoints[location] : undefined;
    if (!root)
      throw new TypeError(
        `location must be one of the service; received ${location}`,
      );
  }
  if (!universeDomain) return root;
  if (!/^[a-z\d.-]+$/i.test(universeDomain))
    throw new TypeError("universeDomain must be a domain");
  return replaceDomain(root, universeDomain);
}

/** Replaces the domain `googleapis.com` of a URL. */
function replaceDomain(root: string, domain: string): string {
  const known = /^(https:\/\/[^/:]*\.)googleapis\.com(?=[/:]|$)/;
  return root.replace(known, (_, before: string) => before + domain);
}
