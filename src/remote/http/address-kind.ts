import { BlockList, isIP } from "node:net";

/**
 * Kind of an IP address. Settings can allow `private` addresses but not
 * `forbidden` ones, because description documents are never served from these.
 */
export type AddressKind = "public" | "private" | "forbidden";

/**
 * Loopback addresses, private networks of organizations (RFC 1918, RFC 4193),
 * and shared address space (RFC 6598).
 */
const PRIVATE = listOf([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
]);

/**
 * Addresses that are not globally reachable (IANA special-purpose address
 * registries), and addresses of cloud metadata services, which return
 * credentials.
 */
const FORBIDDEN = listOf([
  "0.0.0.0/8",
  "100.100.100.200/32",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "2001::/23",
  "2001:db8::/32",
  "3fff::/20",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
]);

/** Addresses of servers on the internet (RFC 4291). */
const GLOBAL = listOf(["2000::/3"]);

/**
 * Returns the kind of an IP address. For an IPv6 address that contains an IPv4
 * address (mapped, NAT64, 6to4), returns the kind of the IPv4 address.
 */
export function addressKind(address: string): AddressKind {
  const bare = address.split("%")[0]!;
  const family = isIP(bare);
  if (family === 0) return "forbidden";
  if (family === 4) return kindOf(bare, "ipv4");
  const embedded = embeddedAddress(groupsOf(bare));
  if (embedded !== undefined) return kindOf(embedded, "ipv4");
  const kind = kindOf(bare, "ipv6");
  return kind === "public" && !GLOBAL.check(bare, "ipv6") ? "forbidden" : kind;
}

function kindOf(address: string, family: "ipv4" | "ipv6"): AddressKind {
  if (FORBIDDEN.check(address, family)) return "forbidden";
  return PRIVATE.check(address, family) ? "private" : "public";
}

/**
 * Returns the IPv4 address contained in an IPv6 address; undefined if it
 * contains none.
 */
function embeddedAddress(groups: readonly number[]): string | undefined {
  const prefix = groups.slice(0, 6).map((group) => group.toString(16));
  // The loopback address and the unspecified address look like IPv4-compatible
  // addresses but are not.
  const isShort = groups.slice(0, 7).every((group) => group === 0);
  const isTail =
    !isShort &&
    [
      "0:0:0:0:0:ffff",
      "0:0:0:0:ffff:0",
      "0:0:0:0:0:0",
      "64:ff9b:0:0:0:0",
    ].includes(prefix.join(":"));
  if (isTail) return dotted(groups[6]!, groups[7]!);
  return groups[0] === 0x2002 ? dotted(groups[1]!, groups[2]!) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser normalizes all notations, including an IPv4 address at the
  // end.
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const numbers = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  const zeros = Array.from(
    { length: 8 - before.length - after.length },
    () => 0,
  );
  return [...before, ...zeros, ...after];
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    const family = network.includes(":") ? "ipv6" : "ipv4";
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
