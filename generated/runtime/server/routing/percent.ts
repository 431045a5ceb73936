/* eslint-disable */
// biome-ignore-all lint: generated

/** Decodes percent-encoded text; returns undefined if it is malformed. */
export function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Decodes percent-encoded text. Malformed sequences are not changed, because
 * some official clients send a literal `%` in the path.
 */
export function decodeLeniently(text: string): string {
  return decode(text) ?? text.replace(/(?:%[\da-f]{2})+/gi, decodeOrKeep);
}

function decodeOrKeep(text: string): string {
  return decode(text) ?? text;
}

/**
 * Decodes the value of a variable that can contain slashes. Encoded slashes are
 * not decoded, so that they can be distinguished from separators
 * (google.api.http).
 */
export function decodeMulti(text: string): string {
  if (!text.includes("%")) return text;
  return text
    .split(/(%2f)/i)
    .map((piece, index) => (index % 2 === 0 ? decodeLeniently(piece) : piece))
    .join("");
}

/**
 * Decodes a form-encoded name or value, in which `+` is a space; returns
 * undefined if it is malformed.
 */
export function decodeForm(text: string): string | undefined {
  return decode(text.includes("+") ? withBlanks(text) : text);
}

/**
 * Replaces `+` with spaces. For short texts, a loop takes half the time of
 * `replaceAll`; for long texts, a loop would create too many strings.
 */
function withBlanks(text: string): string {
  if (text.length > 200) return text.replaceAll("+", " ");
  let result = "";
  let start = 0;
  for (let at = text.indexOf("+"); at !== -1; at = text.indexOf("+", start)) {
    result += `${text.slice(start, at)} `;
    start = at + 1;
  }
  return result + text.slice(start);
}

const PERCENT = 37;
const DOT = 46;

/**
 * Tests whether the path segment at a position is `.` or `..`, which URL
 * parsers resolve.
 */
export function isDotSegment(path: string, start: number): boolean {
  return startsWithDots(path, start, DOTS);
}

/**
 * Tests whether the path segment at a position is `.` or `..` followed by a
 * custom verb, such as `..:verb`.
 */
export function isDotBeforeVerb(path: string, start: number): boolean {
  return startsWithDots(path, start, DOTS_AND_VERB);
}

function startsWithDots(path: string, start: number, form: RegExp): boolean {
  const first = path.charCodeAt(start);
  if (first !== DOT && first !== PERCENT) return false;
  form.lastIndex = start;
  return form.test(path);
}

const DOTS = /(?:\.|%2e){1,2}(?:\/|$)/iy;
const DOTS_AND_VERB = /(?:\.|%2e){1,2}:[^:/]*$/iy;

/**
 * Tests whether a path contains a segment `.` or `..` at or after a position.
 */
export function hasDotSegment(path: string, start: number): boolean {
  let at = start;
  for (;;) {
    if (isDotSegment(path, at)) return true;
    const slash = path.indexOf("/", at);
    if (slash === -1) return false;
    at = slash + 1;
  }
}
