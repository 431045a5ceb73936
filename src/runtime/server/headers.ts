/** A header as handlers give it; one that is undefined is left out. */
export type HeaderValue = string | number | boolean | undefined;

/** Headers by their names in any case. */
export type HeaderValues = Readonly<Record<string, HeaderValue>>;

/** What may stand in a header: no control characters, nothing beyond Latin 1. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Adds headers under their names in lower case, in the place of those that are
 * there; what is undefined is left out.
 *
 * @throws TypeError for one that can't be sent.
 */
export function addHeaders(
  headers: Record<string, string>,
  added: HeaderValues,
): void {
  for (const [name, value] of Object.entries(added)) {
    if (value === undefined) continue;
    const text = String(value);
    if (!NAME.test(name) || !SENDABLE.test(text))
      throw new TypeError(
        `the header ${JSON.stringify(name)} can't be sent: ${JSON.stringify(text.slice(0, 100))}`,
      );
    headers[name.toLowerCase()] = text;
  }
}

/** Method whose responses must have some headers. */
interface ResponseHeaderRules {
  readonly id: string;
  readonly responseHeaders?: readonly string[];
}

/**
 * Looks for the headers that the description promises of a success.
 *
 * @throws TypeError where one is missing.
 */
export function requireHeaders(
  headers: Readonly<Record<string, string>>,
  { id, responseHeaders }: ResponseHeaderRules,
): void {
  const missing = responseHeaders?.filter(
    (name) => headers[name] === undefined,
  );
  if (missing === undefined || missing.length === 0) return;
  throw new TypeError(
    `the answer of ${id} has to have the header ${missing.join(", ")}; return reply(value, { headers })`,
  );
}
