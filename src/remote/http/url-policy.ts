import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { bareHost } from "../../platform/proxy.js";
import { RemoteError, type HttpSettings } from "./http-settings.js";

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
 * Checks the scheme of a URL, and the host if it is an IP address or localhost:
 * connections to IP addresses are opened without a lookup. The addresses of
 * other hosts are checked when a connection is opened.
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
  const address = /(^|\.)localhost\.?$/.test(host) ? "127.0.0.1" : host;
  const refusal =
    isIP(address) === 0
      ? undefined
      : refusalOf(address, shortUrl(url), access.allowPrivate);
  if (refusal !== undefined) throw refusal;
}

/**
 * Returns a function that resolves host names and returns only allowed
 * addresses. The connection uses these addresses, so that a name server can't
 * return another address after the check (DNS rebinding).
 */
export function guardedLookup({
  lookup = systemLookup,
  allowPrivate,
}: Pick<HttpSettings, "lookup" | "allowPrivate">): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = found as LookupAddress[];
      const refusals = addresses.map(({ address }) =>
        refusalOf(address, hostname, allowPrivate),
      );
      const permitted = addresses.filter((_, at) => refusals[at] === undefined);
      const [first] = permitted;
      if (first === undefined)
        return callback(refusals[0] ?? refusalOf("", hostname, false)!, []);
      if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns the error for an address that is not allowed. */
function refusalOf(
  address: string,
  subject: string,
  allowPrivate: boolean,
): RemoteError | undefined {
  const kind = addressKind(address);
  if (kind === "public" || (kind === "private" && allowPrivate)) return;
  return new RemoteError(
    "remote-refused",
    `${subject} resolves to ${address}, ${kind === "private" ? "an address in a private network" : "an address in a special-purpose network"}`,
  );
}

/**
 * Kind of an IP address. Settings can allow `private` addresses but not
 * `forbidden` ones, because description documents are never served from these.
 */
export type AddressKind = "public" | "private" | "forbidden";

/** Ranges of ipaddr.js with addresses of the local machine and of networks of organizations. */
const PRIVATE = ["private", "loopback", "carrierGradeNat", "uniqueLocal"];

/** Addresses of cloud metadata services, which return credentials. */
const METADATA = ["100.100.100.200", "fd00:ec2::254", "fd20:ce::254"].map(
  (address) => ipaddr.parse(address).toNormalizedString(),
);

/** IPv6 addresses of servers on the internet (RFC 4291). */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Returns the kind of an IP address. For an IPv6 address that contains an IPv4
 * address (mapped, NAT64, 6to4), returns the kind of the IPv4 address.
 */
export function addressKind(text: string): AddressKind {
  const bare = text.split("%")[0]!;
  // ipaddr.js also parses octal and hexadecimal notations.
  if (isIP(bare) === 0) return "forbidden";
  const address = withoutIPv6(ipaddr.parse(bare));
  if (METADATA.includes(address.toNormalizedString())) return "forbidden";
  const range = address.range();
  if (PRIVATE.includes(range)) return "private";
  const isGlobal = !(address instanceof ipaddr.IPv6) || address.match(GLOBAL);
  return range === "unicast" && isGlobal ? "public" : "forbidden";
}

/** Prefixes of IPv6 addresses that end with an IPv4 address. */
const EMBEDDING = [
  "::ffff:0:0/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "::/96",
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Returns the IPv4 address that an IPv6 address contains. */
function withoutIPv6(
  address: ipaddr.IPv4 | ipaddr.IPv6,
): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const range = address.range();
  const bytes = address.toByteArray();
  if (range === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  // The loopback address and the unspecified address only look like an embedded
  // address.
  const isEmbedding =
    range !== "loopback" &&
    range !== "unspecified" &&
    EMBEDDING.some((prefix) => address.match(prefix));
  return isEmbedding ? new ipaddr.IPv4(bytes.slice(12)) : address;
}

/**
 * Formats a URL for messages, without its query and credentials, because the
 * location of a redirect can contain a signature.
 */
export function shortUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
