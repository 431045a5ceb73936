/**
 * Hosts that callers may name. A page of any site can have its name lead to a loopback
 * address (DNS rebinding), and then read what a service on loopback answers; such requests
 * have the name of the site in `Host`.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;
  /** The name that was allowed last: most callers use one. */
  #last: string | undefined;

  /** @param names hosts without port, besides those of loopback */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => nameOf(name)));
  }

  /** Whether a request with this `Host` is answered; callers without one are no browsers. */
  allows(host: string | undefined): boolean {
    if (host === undefined || host === this.#last) return true;
    const name = nameOf(host);
    if (!NAME.test(name)) return false;
    if (!isLoopback(name) && !this.#names.has(name)) return false;
    this.#last = host;
    return true;
  }
}

/** A name, an address, or one of version 6 in brackets. */
const NAME = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/** Whether an address or name is one of loopback, which only programs of the machine reach. */
export function isLoopback(name: string): boolean {
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    name === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** A host without its port, in lower case, without a dot at its end. */
function nameOf(host: string): string {
  const port = /:\d{1,5}$/.exec(host);
  const isPort =
    port !== null && (host.startsWith("[") || host.indexOf(":") === port.index);
  const name = isPort ? host.slice(0, port.index) : host;
  return (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
}
