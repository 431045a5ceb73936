/**
 * Origins to which forms can send requests: `self` for the site itself, or
 * http(s) origins.
 */
export type TryOrigins = readonly string[];

/**
 * Converts a string to an origin: `self` or, for example,
 * `https://api.example.com`. Returns undefined for anything else, such as a URL
 * with a path or with credentials.
 */
export function tryOriginOf(text: string): string | undefined {
  if (text === "self") return text;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { href, origin } = new URL(text);
  // IPv6 addresses are rejected, because content security policies have no
  // syntax for them.
  return href === `${origin}/` && /^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin)
    ? origin
    : undefined;
}

/**
 * Returns the directive of a content security policy that permits requests only
 * to the given origins.
 */
export function connectDirective(origins: TryOrigins): string {
  const sources = origins.map((origin) =>
    origin === "self" ? "'self'" : origin,
  );
  return `connect-src ${sources.join(" ")}`;
}
