/**
 * Adds the host of the documentation to those links in a description that
 * consist only of a path. If the host is unknown, such a link is replaced by
 * its text.
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
 * the URL of a web page.
 */
export function documentationOrigin(
  link: string | undefined,
): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { origin, protocol } = new URL(link);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}
