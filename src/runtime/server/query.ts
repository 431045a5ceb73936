import { decodeForm } from "./percent.js";

/** Takes a name and a value of a query, decoded. */
export type Take = (name: string, value: string) => void;

/**
 * Reads pairs as forms send them (application/x-www-form-urlencoded), in order.
 *
 * @returns the first pair that is malformed, if any; the others are taken.
 */
export function readQuery(text: string, take: Take): string | undefined {
  let malformed: string | undefined;
  let start = 0;
  const { length } = text;
  while (start < length) {
    let end = text.indexOf("&", start);
    if (end === -1) end = length;
    if (end > start && !readPair(text, start, end, take))
      malformed ??= text.slice(start, Math.min(end, start + 100));
    start = end + 1;
  }
  return malformed;
}

function readPair(
  text: string,
  start: number,
  end: number,
  take: Take,
): boolean {
  const pair = text.slice(start, end);
  const equals = pair.indexOf("=");
  const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? "" : decodeForm(pair.slice(equals + 1));
  if (name === undefined || value === undefined) return false;
  take(name, value);
  return true;
}
