/* eslint-disable */
// biome-ignore-all lint: generated

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
  return decode(text.includes("+") ? withBlanks(text) : text);
}

/** For the usual few of them a loop takes half the time; many would fill the memory with pieces. */
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

/** Whether a segment of a path is one that a URL parser would resolve: `.` or `..`. */
export function isDotSegment(path: string, start: number): boolean {
  return startsWithDots(path, start, DOTS);
}

/** Whether what stands before a custom verb is such a segment: `..` in `..:verb`. */
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

/** Whether a path has such a segment at a place or behind it. */
export function hasDotSegment(path: string, start: number): boolean {
  let at = start;
  for (;;) {
    if (isDotSegment(path, at)) return true;
    const slash = path.indexOf("/", at);
    if (slash === -1) return false;
    at = slash + 1;
  }
}
