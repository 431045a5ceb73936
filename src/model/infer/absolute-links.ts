/**
 * Adds the origin of the documentation to links without an origin, such as
 * `[label](/path)`, in a description. If the origin is unknown, replaces such a
 * link with its label.
 */
export function absoluteLinks(
  text: string,
  origin: string | undefined,
): string {
  if (!text.includes("](/")) return text;
  return origin === undefined
    ? text.replace(/\[([^[\]]*)\]\(\/[^()\s]*\)/g, "$1")
    : text.replace(/\]\(\/(?!\/)/g, () => `](${origin}/`);
}

/**
 * Returns the origin of the URL in `documentationLink`; undefined if it is not
 * an HTTP URL.
 */
export function documentationOrigin(
  link: string | undefined,
): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { origin, protocol } = new URL(link);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}
