/**
 * Adds the host of the documentation to links of a description that have only a
 * path. Without a host, such links are replaced by their text.
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

/** Returns the origin of `documentationLink`; undefined if it is not a web page. */
export function documentationOrigin(
  link: string | undefined,
): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { origin, protocol } = new URL(link);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}
