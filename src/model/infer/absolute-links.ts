/**
 * Gives the links of a description that name only a path the host of the
 * documentation; without a host, their text remains.
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

/** Origin of a document's `documentationLink`, where that is a web page. */
export function documentationOrigin(
  link: string | undefined,
): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { origin, protocol } = new URL(link);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}
