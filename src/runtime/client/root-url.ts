import type { LocatedOptions } from "./options.js";
import type { Service } from "./service.js";

/**
 * The root URL by the settings `location`, `mtls` and `universeDomain`; for
 * services as their `locate`.
 *
 * @throws TypeError for a location that the service does not have, and for a
 *   domain that is none.
 */
export function resolveRootUrl(
  { rootUrl, mtlsRootUrl, endpoints = {} }: Service,
  { location, mtls, universeDomain }: LocatedOptions,
): string {
  let root: string | undefined = rootUrl;
  if (mtls) root = mtlsRootUrl ?? replaceDomain(root, "mtls.googleapis.com");
  if (location !== undefined) {
    root = Object.hasOwn(endpoints, location) ? endpoints[location] : undefined;
    if (!root) throw new TypeError(`there is no location ${location}`);
  }
  if (!universeDomain) return root;
  if (!/^[a-z\d.-]+$/i.test(universeDomain))
    throw new TypeError("universeDomain is not a domain");
  return replaceDomain(root, universeDomain);
}

/** The root with another domain in place of the usual one. */
function replaceDomain(root: string, domain: string): string {
  const known = /^(https:\/\/[^/:]*\.)googleapis\.com(?=[/:]|$)/;
  return root.replace(known, (_, before: string) => before + domain);
}
