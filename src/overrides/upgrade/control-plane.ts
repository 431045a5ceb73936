/** Matches hosts of the vendor's control plane; the prefix names a region. */
const KNOWN_HOST = /^([a-z0-9-]+-)?apigee\.googleapis\.com$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the reason why a control plane must not receive the access token;
 * undefined if it may.
 * @param isExplicit true for `--api`, false for a URL of the overrides file
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
    return `${source} must be a URL without credentials, query and fragment`;
  const isLocal = isExplicit && LOOPBACK.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    return `${source} must be an https URL: P6 sends an access token of gcloud there`;
  if (!isExplicit && !KNOWN_HOST.test(host))
    return `contractProvider names ${host}, which is not a known control plane, and P6 would send an access token of gcloud there; pass --api with its URL if you trust it`;
  return undefined;
}
