/**
 * Host names that are accepted in the `Host` header. A malicious site can make
 * its own name resolve to a loopback address (DNS rebinding), so that its pages
 * can read responses of a local service. The `Host` header of such requests
 * still contains the name of the site, so they can be rejected.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;
  /** Last accepted `Host` value. It is not parsed again. */
  #last: string | undefined;

  /**
   * @param names accepted host names without port, in addition to loopback
   *   names
   */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => hostNameOf(name)));
  }

  /**
   * Tests whether the value of `Host` is accepted. A missing header is accepted
   * too: browsers always send it, so a request without `Host` does not come
   * from a web page.
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
 * Pattern for valid values of the `Host` header: a name or address with an
 * optional port.
 */
export const HOST_HEADER: RegExp =
  /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Pattern for a host name, an IPv4 address, or an IPv6 address in brackets. */
const NAME = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/**
 * Tests whether a host is a loopback name or address, which only local programs
 * can reach.
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
 * Returns a host in lower case without its port and without the trailing dot of
 * a name. A dot after an address in brackets is not valid.
 */
function hostNameOf(host: string): string {
  const port = /:\d{1,5}$/.exec(host);
  const isPort =
    port !== null && (host.startsWith("[") || host.indexOf(":") === port.index);
  const name = isPort ? host.slice(0, port.index) : host;
  const hasDot = name.endsWith(".") && !name.startsWith("[");
  return (hasDot ? name.slice(0, -1) : name).toLowerCase();
}
