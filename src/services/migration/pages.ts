/** Which page of a list is meant. */
export interface Page {
  /** From 1. */
  readonly page: number;
  readonly per_page: number;
}

/** Number of entries before the page. */
export function offsetOf({ page, per_page }: Page): number {
  return (page - 1) * per_page;
}

/**
 * The header `Link` of a page (RFC 8288); none where there is one page only.
 *
 * @param origin such as `https://api.example.com`
 * @param target path and query as sent; other parameters are kept
 * @param total number of entries on all pages
 */
export function linkHeaders(
  { page, per_page }: Page,
  origin: string,
  target: string,
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / per_page));
  const to = (number: number, rel: string): string => {
    const url = new URL(target, origin);
    url.searchParams.set("page", String(number));
    return `<${url.href.replaceAll(">", "%3E")}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(Math.min(page - 1, last), "prev")] : []),
    ...(page < last ? [to(page + 1, "next"), to(last, "last")] : []),
    ...(page > 1 ? [to(1, "first")] : []),
  ];
  return last === 1 && page === 1 ? {} : { link: links.join(", ") };
}
