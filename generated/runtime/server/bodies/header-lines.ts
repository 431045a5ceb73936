/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Headers of a part by lower-case name. A line that begins with a blank goes on
 * with the one before (RFC 5322 §2.2.3), as mail libraries write long ones.
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

/** No `trim` of the whole: it would copy a long value for each of its lines. */
function join(value: string, more: string): string {
  if (value === "" || more === "") return value + more;
  return `${value} ${more}`;
}
