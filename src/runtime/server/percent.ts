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
 * The value of a variable that may hold slashes. An encoded slash stays as it
 * is, so that it can be told from one that separates (google.api.http).
 */
export function decodeMulti(text: string): string | undefined {
  if (!text.includes("%")) return text;
  const pieces = text.split(/(%2f)/i);
  for (let index = 0; index < pieces.length; index += 2) {
    const piece = decode(pieces[index]!);
    if (piece === undefined) return undefined;
    pieces[index] = piece;
  }
  return pieces.join("");
}

/** A piece of a query as text, `+` for a blank; undefined where it is malformed. */
export function decodeForm(text: string): string | undefined {
  return decode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Whether a path has a segment that a URL parser would resolve: `.` or `..`. */
export function hasDotSegment(path: string): boolean {
  return DOT.test(path) && DOT_SEGMENT.test(path);
}

/** Most paths have no dot that follows a slash. */
const DOT = /\/(?:\.|%2e)/i;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
