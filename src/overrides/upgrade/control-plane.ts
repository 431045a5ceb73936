/**
 * Pattern for the host names of the vendor's control plane, with an optional
 * region prefix.
 */
const KNOWN_HOST = /^([a-z0-9-]+-)?apigee\.googleapis\.com$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the reason why the access token must not be sent to a control plane
 * URL; undefined if it can be sent.
 * @param isExplicit true if the URL was passed as `--api`, false if it comes
 *   from the overrides file
 */
export function controlPlaneProblem(
  text: string,
  isExplicit: boolean,
): string | undefined {
  const source = isExplicit ? "--api" : "contractProvider";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `${source} must be a URL such as https://apigee.googleapis.com`;
  }
  const { protocol, hostname, host, username, password, search, hash } = url;
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    return `${source} must be a URL without credentials, query or fragment`;
  const isLocal = isExplicit && LOOPBACK.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    return `${source} must be an https URL, because step P6 sends a gcloud access token to it`;
  if (!isExplicit && !KNOWN_HOST.test(host))
    return `contractProvider contains the host ${host}, which is not a known control plane; step P6 would send a gcloud access token to this host; if you trust the host, pass its URL as --api`;
  return undefined;
}
