import { isIP } from "node:net";
import { bareHost } from "../../platform/proxy.js";
import { RemoteError } from "../remote-error.js";
import { addressKind } from "./address-kind.js";
import type { HttpSettings } from "./http-settings.js";

/** Settings that control which servers can be accessed. */
export type AccessSettings = Pick<HttpSettings, "allowHttp" | "allowPrivate">;

/** Pattern for names of query parameters that contain credentials. */
const SECRET_PARAMETER =
  /^(key|api[-_]?key|(access|auth|oauth|id|refresh)?[-_]?token|password|passwd|secret|client[-_]?secret|sig|signature|x-(amz|goog)-(signature|credential|security-token))$/i;

/**
 * Parses a URL that was entered by a user or listed in an API directory.
 *
 * @throws RemoteError if the URL is not allowed
 */
export function parseRemoteUrl(text: string, access: AccessSettings): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new RemoteError("remote-refused", `${text} is not a URL`);
  checkUrl(url, access);
  if (url.username !== "" || url.password !== "")
    throw new RemoteError(
      "remote-refused",
      `${shortUrl(url)}: a URL must not contain a user name or password`,
    );
  const secret = [...url.searchParams.keys()].find((name) =>
    SECRET_PARAMETER.test(name),
  );
  if (secret !== undefined)
    throw new RemoteError(
      "remote-refused",
      `${shortUrl(url)}: the query must not contain the credential "${secret}"; send it as a header`,
    );
  url.hash = "";
  return url;
}

/**
 * Checks the scheme of a URL, and the host if it is an IP address or localhost.
 * The addresses of other hosts are checked when a connection is opened.
 *
 * @throws RemoteError if the URL is not allowed
 */
export function checkUrl(url: URL, access: AccessSettings): void {
  const { protocol } = url;
  if (protocol !== "https:" && !(protocol === "http:" && access.allowHttp))
    throw new RemoteError(
      "remote-refused",
      protocol === "http:"
        ? `${shortUrl(url)} must be an https URL`
        : `${shortUrl(url)}: ${protocol.slice(0, -1)} is not supported; expected https`,
    );
  const host = bareHost(url);
  if (isIP(host) !== 0) checkAddress(host, shortUrl(url), access);
  else if (/(^|\.)localhost\.?$/.test(host))
    checkAddress("127.0.0.1", shortUrl(url), access);
}

/**
 * Checks the IP address to which a connection is opened.
 *
 * @param subject start of the message
 * @throws RemoteError if the address is not allowed
 */
export function checkAddress(
  address: string,
  subject: string,
  { allowPrivate }: Pick<AccessSettings, "allowPrivate">,
): void {
  const kind = addressKind(address);
  if (kind === "public" || (kind === "private" && allowPrivate)) return;
  throw new RemoteError(
    "remote-refused",
    `${subject} resolves to ${address}, ${kind === "private" ? "an address in a private network" : "an address in a special-purpose network"}`,
  );
}

/**
 * Formats a URL for messages, without its query and credentials, because the
 * location of a redirect can contain a signature.
 */
export function shortUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
