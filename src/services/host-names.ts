/**
 * Hosts allowed in the header `Host`. A site can resolve its name to a loopback address
 * (DNS rebinding), so that its pages can read responses of a service on loopback; such
 * requests have the name of the site in `Host`.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;
  /** Value that was allowed last; avoids parsing it for each request. */
  #last: string | undefined;

  /** @param names hosts without port, in addition to loopback */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => hostNameOf(name)));
  }

  /** Returns true if `Host` is allowed or absent; browsers always send it. */
  allows(host: string | undefined): boolean {
    if (host === undefined || host === this.#last) return true;
    const name = hostNameOf(host);
    if (!NAME.test(name)) return false;
    if (!isLoopback(name) && !this.#names.has(name)) return false;
    this.#last = host;
    return true;
  }
}

/** Matches valid values of the header `Host`: a name or address with an optional port. */
export const HOST_HEADER: RegExp =
  /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Host name, IPv4 address, or IPv6 address in brackets. */
const NAME = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/** Returns true for loopback names and addresses, which only local programs can reach. */
export function isLoopback(name: string): boolean {
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    name === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** Returns a host in lower case without its port and trailing dot. */
function hostNameOf(host: string): string {
  const port = /:\d{1,5}$/.exec(host);
  const isPort =
    port !== null && (host.startsWith("[") || host.indexOf(":") === port.index);
  const name = isPort ? host.slice(0, port.index) : host;
  return (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
}
