import type { LocatedOptions } from "./options.js";
import type { Service } from "./service.js";

/**
 * The root URL by the settings `location`, `mtls` and `universeDomain`; for
 * services as their `locate`.
 *
 * @throws TypeError for a location that the service does not have, and for a
 *   domain that is none.
 */
export function locate(
  { rootUrl, mtlsRootUrl, endpoints = {} }: Service,
  { location, mtls, universeDomain: domain }: LocatedOptions,
): string {
  let root: string | undefined = (mtls && mtlsRootUrl) || rootUrl;
  if (location !== undefined) {
    root = Object.hasOwn(endpoints, location) ? endpoints[location] : undefined;
    if (!root) throw new TypeError(`there is no location ${location}`);
  }
  if (!domain) return root;
  if (!/^[a-z\d.-]+$/i.test(domain))
    throw new TypeError("universeDomain is not a domain");
  const known = /^(https:\/\/[^/:]*\.)googleapis\.com(?=[/:]|$)/;
  return root.replace(known, (_, before: string) => before + domain);
}
