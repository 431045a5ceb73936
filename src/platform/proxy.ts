/**
 * Returns the proxy for a URL: the value of HTTPS_PROXY for https, otherwise of
 * HTTP_PROXY. Returns undefined if this variable is not set, and for hosts in
 * NO_PROXY. Lower-case names of the variables take precedence.
 *
 * @throws Error if the value is not an http or https URL
 */
export function proxyOf(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = env[name.toLowerCase()] ?? env[name] ?? "";
  if (text === "" || isExempt(url, env["no_proxy"] ?? env["NO_PROXY"] ?? ""))
    return undefined;
  let proxy: URL | undefined;
  try {
    proxy = new URL(text.includes("://") ? text : `http://${text}`);
  } catch {
    // The error message does not contain the value of the variable, because the
    // value can contain credentials.
  }
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol))
    throw new Error(`${name} must be an http or https URL`);
  return proxy;
}

/**
 * Tests whether NO_PROXY lists a host. Entries are `*`, hosts, and domains with
 * or without a leading dot, each with an optional port.
 */
function isExempt(url: URL, list: string): boolean {
  const host = bareHost(url);
  const urlPort = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    // An entry with several colons and without brackets is an IPv6 address
    // without a port.
    const isAddress = /^[^[\]]*:[^[\]]*:/.test(entry);
    const domain = (isAddress ? entry : name)
      .toLowerCase()
      .replace(/^\[|\]$/g, "")
      .replace(/^\*?\./, "");
    if (!isAddress && port !== undefined && port !== urlPort) return false;
    return (
      domain === "*" ||
      (domain !== "" && (host === domain || host.endsWith(`.${domain}`)))
    );
  });
}

/**
 * Returns the host of a URL without the port; an IPv6 address is returned
 * without brackets.
 */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/**
 * Returns the value of the Proxy-Authorization header; undefined if the proxy
 * URL contains no credentials.
 */
export function proxyAuthorization({
  username,
  password,
}: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const login = `${decode(username)}:${decode(password)}`;
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

/** Decodes percent-encoded text; returns invalid text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
