/** URL of the list of APIs in the public directory. */
export const PUBLIC_DIRECTORY = "https://www.googleapis.com/discovery/v1/apis";

/**
 * Host names, without the domain, of services whose documents are not at
 * `<name>.googleapis.com`.
 */
const HOSTS: Readonly<Record<string, string>> = {
  adexchangebuyer2: "adexchangebuyer",
  calendar: "calendar-json",
  content: "shoppingcontent",
  sql: "sqladmin",
  translate: "translation",
};

/**
 * Returns the URLs at which the public document of an API can be: at the host
 * of the service, and in the central directory. Old APIs are only in the
 * central directory, and most new APIs only at their own host.
 */
export function publicLocations(name: string, version: string): string[] {
  const label = Object.hasOwn(HOSTS, name)
    ? HOSTS[name]!
    : name.toLowerCase().replaceAll("_", "-");
  const central = restPath(PUBLIC_DIRECTORY, name, version);
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
    ? [
        `https://${label}.googleapis.com/$discovery/rest?version=${encodeURIComponent(version)}`,
        central,
      ]
    : [central];
}

/**
 * Returns the URL of a document, derived from the URL of its directory's list.
 */
export function restPath(
  directory: string,
  name: string,
  version: string,
): string {
  const [base = "", query] = directory.split("?", 2);
  const path = `${base.replace(/\/$/, "")}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/rest`;
  return query === undefined ? path : `${path}?${query}`;
}
