import type { Properties } from "./properties.js";
import { editDistance } from "./similar.js";

/** Text that replaces secrets in output. */
export const MASK = "***";

const PEM_BEGIN = "-----BEGIN";
const PEM_END = /-----END[^-\n]{0,80}-----/g;
/**
 * Pattern for a name, the following `:` or `=`, and the white space before the
 * value.
 */
const NAMED_VALUE = /(?<![\w.-])([\w.-]{1,200})["']?[ \t]*[:=][ \t]*(?=\S)/g;
/**
 * Masks possible secrets in a string: values of keys with names such as
 * `password`, user names and passwords in URLs, and PEM blocks. Runs in linear
 * time.
 */
export function redact(text: string, properties: Properties): string {
  return redactNamedValues(redactCredentials(text), properties);
}

/** Masks user names and passwords in URLs, and PEM blocks. */
export function redactCredentials(text: string): string {
  let shown = text;
  if (shown.includes(PEM_BEGIN)) shown = maskPemBlocks(shown);
  if (shown.includes("@")) shown = maskUrlCredentials(shown);
  return shown;
}

/**
 * Masks PEM blocks. A block without an end line extends to the end of the text.
 */
function maskPemBlocks(text: string): string {
  let shown = "";
  let at = 0;
  for (;;) {
    const begin = text.indexOf(PEM_BEGIN, at);
    if (begin < 0) return shown + text.slice(at);
    shown += text.slice(at, begin) + MASK;
    PEM_END.lastIndex = begin;
    if (!PEM_END.test(text)) return shown;
    at = PEM_END.lastIndex;
  }
}

/**
 * Masks user names and passwords before an `@`, in URLs (`https://***@host`)
 * and in addresses without a scheme (`***@host`).
 */
function maskUrlCredentials(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const at = line.lastIndexOf("@");
      if (at < 0) return line;
      // A password in a URL can contain an unescaped `@`, so all text before
      // the last `@` is masked.
      const scheme = line.indexOf("://");
      return scheme < 0 || scheme > at
        ? maskUserNames(line)
        : `${maskUserNames(line.slice(0, scheme))}://${MASK}${line.slice(at)}`;
    })
    .join("\n");
}

function maskUserNames(line: string): string {
  return line
    .split(" ")
    .map((word) => {
      const at = word.lastIndexOf("@");
      const colon = word.indexOf(":");
      const name = word.slice(0, colon);
      const isUser =
        colon > 0 &&
        colon < at &&
        !name.includes("/") &&
        !name.endsWith("serviceAccount") &&
        !word.startsWith("sha256:", at + 1);
      return isUser ? MASK + word.slice(at) : word;
    })
    .join(" ");
}

/**
 * Masks the values of keys whose names suggest a secret, up to the end of the
 * line.
 */
function redactNamedValues(text: string, properties: Properties): string {
  let shown = "";
  let at = 0;
  NAMED_VALUE.lastIndex = 0;
  for (
    let found = NAMED_VALUE.exec(text);
    found !== null;
    found = NAMED_VALUE.exec(text)
  ) {
    if (!mayNameSecret(found[1]!, properties)) continue;
    const start = NAMED_VALUE.lastIndex;
    if (text.startsWith(MASK, start)) continue;
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    shown += text.slice(at, start) + MASK;
    at = end;
    NAMED_VALUE.lastIndex = end;
  }
  return shown + text.slice(at);
}

/** Pattern for keys whose values must not be printed. */
const SECRET_KEY =
  /pass|pwd|secret$|token|credential|encryption|(?:^|_)key$|username|private/i;

/**
 * Maximum length in characters of keys that are compared with secret keys. All
 * known secret keys are shorter.
 */
const MAX_SECRET_KEY = 100;

/**
 * Tests whether a key that no version supports probably contains a secret: its
 * name suggests a secret, or is similar to a known secret key.
 */
function looksLikeSecret(key: string, { secretKeys }: Properties): boolean {
  if (SECRET_KEY.test(key)) return true;
  if (key.length > MAX_SECRET_KEY) return false;
  const word = key.toLowerCase();
  return [...secretKeys].some((name) => editDistance(word, name, 3) < 3);
}

/**
 * Tests whether the value of an unknown key, including nested values, must be
 * masked.
 */
export function isHiddenKey(key: string, properties: Properties): boolean {
  return looksLikeSecret(key.slice(key.lastIndexOf(".") + 1), properties);
}

/**
 * Tests whether a key without a known path, such as a word in a comment, can be
 * the name of a secret. A camel-case key of the file is a secret only if its
 * schema marks it as secret.
 */
function mayNameSecret(key: string, properties: Properties): boolean {
  const name = key.slice(key.lastIndexOf(".") + 1);
  const rows = properties.byKey.get(name);
  if (rows === undefined || !/[a-z][A-Z]/.test(name))
    return looksLikeSecret(name, properties);
  return rows.some(({ row }) => row.secret === true);
}
