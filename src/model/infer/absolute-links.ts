/**
 * Adds the documentation's host to links in a description that consist of a
 * path only. If the host is unknown, such links are replaced by their text.
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
 * Returns the origin of `documentationLink`; undefined if it is not a web page.
 */
export function documentationOrigin(
  link: string | undefined,
): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { origin, protocol } = new URL(link);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}
