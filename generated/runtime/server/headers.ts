/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Value of a response header that a handler returns; `undefined` omits the
 * header.
 */
export type HeaderValue = string | number | boolean | undefined;

/** Headers, keyed by case-insensitive name. */
export type HeaderValues = Readonly<Record<string, HeaderValue>>;

/**
 * Matches valid header values: Latin-1 characters without control characters,
 * except the tab.
 */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Adds headers with lower-case names. A header replaces an existing header of
 * the same name; headers whose value is `undefined` are skipped.
 *
 * @throws TypeError for a header that can't be sent.
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

/** Members of a method definition that are needed to check response headers. */
interface ResponseHeaderRules {
  readonly id: string;
  readonly responseHeaders?: readonly string[];
}

/**
 * Checks that a successful response has the headers that the API description
 * requires.
 *
 * @throws TypeError if a header is missing.
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
    `the response to ${id} must have the ${missing.length === 1 ? "header" : "headers"} ${missing.join(", ")}; return reply(value, { headers })`,
  );
}
