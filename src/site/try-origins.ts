/** Origins of requests from forms: `self` for the site itself, or http(s) origins. */
export type TryOrigins = readonly string[];

/**
 * Returns the origin in the form of a content security policy: `self` or
 * `https://api.example.com`; undefined for anything else, such as a URL with a
 * path or with credentials.
 */
export function tryOriginOf(text: string): string | undefined {
  if (text === "self") return text;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { href, origin } = new URL(text);
  // Policies have no syntax for IPv6 addresses.
  return href === `${origin}/` && /^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin)
    ? origin
    : undefined;
}

/** Directive of a content security policy that permits only these origins. */
export function connectDirective(origins: TryOrigins): string {
  const sources = origins.map((origin) =>
    origin === "self" ? "'self'" : origin,
  );
  return `connect-src ${sources.join(" ")}`;
}
