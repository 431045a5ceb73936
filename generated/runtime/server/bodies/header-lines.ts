/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Returns the headers of a part, keyed by lower-case name. A line that begins
 * with a space or tab continues the previous line (RFC 5322 §2.2.3); clients
 * that use mail libraries split long headers in this way.
 */
export function readHeaderLines(
  lines: Iterable<string>,
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let last = "";
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      const value = headers.get(last);
      if (value !== undefined) headers.set(last, join(value, line.trim()));
      continue;
    }
    const colon = line.indexOf(":");
    last = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (last !== "") headers.set(last, line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * Appends a continuation line to a value. The result is not trimmed, because
 * trimming would copy a long value once for each line.
 */
function join(value: string, more: string): string {
  if (value === "" || more === "") return value + more;
  return `${value} ${more}`;
}
