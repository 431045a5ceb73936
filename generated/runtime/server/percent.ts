/**
 * A percent-encoded piece of a path as text; undefined where it is malformed.
 */
export function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The same, but what is malformed stays as it is: some official clients send a
 * `%` in the path as they were given it.
 */
export function decodeLeniently(text: string): string {
  return decode(text) ?? text.replace(/(?:%[\da-f]{2})+/gi, decodeOrKeep);
}

function decodeOrKeep(text: string): string {
  return decode(text) ?? text;
}

/**
 * The value of a variable that may hold slashes. An encoded slash stays as it
 * is, so that it can be told from one that separates (google.api.http).
 */
export function decodeMulti(text: string): string {
  if (!text.includes("%")) return text;
  return text
    .split(/(%2f)/i)
    .map((piece, index) => (index % 2 === 0 ? decodeLeniently(piece) : piece))
    .join("");
}

/** A piece of a query as text, `+` for a blank; undefined where it is malformed. */
export function decodeForm(text: string): string | undefined {
  return decode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Whether a path has a segment that a URL parser would resolve: `.` or `..`. */
export function hasDotSegment(path: string): boolean {
  return (
    (path.includes("/.") || path.includes("/%2")) && DOT_SEGMENT.test(path)
  );
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
