/**
 * Host names accepted in the `Host` header. A malicious site can resolve its
 * own name to a loopback address (DNS rebinding), so that its pages can read
 * responses of a service on loopback. These requests still have the name of the
 * site in `Host`, so they can be refused.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;
  /** Most recently accepted value; avoids parsing the same value again. */
  #last: string | undefined;

  /**
   * @param names accepted host names without port, in addition to loopback
   *   names
   */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => hostNameOf(name)));
  }

  /**
   * Returns true if `Host` is accepted or absent. Browsers always send the
   * header, so a request without `Host` does not come from a web page.
   */
  allows(host: string | undefined): boolean {
    if (host === undefined || host === this.#last) return true;
    const name = hostNameOf(host);
    if (!NAME.test(name)) return false;
    if (!isLoopback(name) && !this.#names.has(name)) return false;
    this.#last = host;
    return true;
  }
}

/**
 * Matches valid values of the header `Host`: a name or address with an optional
 * port.
 */
export const HOST_HEADER: RegExp =
  /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Host name, IPv4 address, or IPv6 address in brackets. */
const NAME = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/**
 * Returns true for loopback names and addresses, which only local programs can
 * reach.
 */
export function isLoopback(name: string): boolean {
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    name === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/**
 * Returns a host in lower case without its port and, after a name, without the
 * trailing dot. An address in brackets with a dot is not a valid host.
 */
function hostNameOf(host: string): string {
  const port = /:\d{1,5}$/.exec(host);
  const isPort =
    port !== null && (host.startsWith("[") || host.indexOf(":") === port.index);
  const name = isPort ? host.slice(0, port.index) : host;
  const hasDot = name.endsWith(".") && !name.startsWith("[");
  return (hasDot ? name.slice(0, -1) : name).toLowerCase();
}
