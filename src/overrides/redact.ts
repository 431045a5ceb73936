import { looksSecretAnywhere } from "./secrets.js";

/** What is shown in place of a secret. */
export const MASK = "***";

const PEM_BEGIN = "-----BEGIN";
const PEM_END = /-----END[^-\n]{0,80}-----/g;
/** A name, `:` or `=`, and the first character of what follows. */
const NAMED = /(?<![\w.-])([\w.-]{1,200})["']?[ \t]*[:=][ \t]*(?=\S)/g;
/** Words of comments behind which a secret may follow without a colon. */
const STRONG = /pass(?:word|wd|phrase)?\b|\bpwd\b|secret\b|token\b|credential/i;

/**
 * A text without what may be a secret: values of keys that look like secrets,
 * users and passwords of URLs, PEM blocks. Takes linear time.
 */
export function redact(text: string): string {
  return redactNamed(redactCredentials(text));
}

/** A text without users and passwords of URLs and without PEM blocks. */
export function redactCredentials(text: string): string {
  let shown = text;
  if (shown.includes(PEM_BEGIN)) shown = withoutPem(shown);
  if (shown.includes("@")) shown = withoutUsers(shown);
  return shown;
}

/** A comment without what may be a secret; words behind "password" included. */
export function redactComment(text: string): string {
  const shown = redact(text);
  const strong = STRONG.exec(shown);
  if (strong === null) return shown;
  const at = strong.index + strong[0].length;
  const rest = shown
    .slice(at)
    .replace(/[^\s"'`,;()]{6,}/g, (word) =>
      /[0-9]/.test(word) && /[A-Za-z]/.test(word) ? MASK : word,
    );
  return shown.slice(0, at) + rest;
}

/** A block without its end reaches to the end of the text. */
function withoutPem(text: string): string {
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

/** `https://***@host`, and `***@host` where a name and a colon precede the `@`. */
function withoutUsers(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const at = line.lastIndexOf("@");
      if (at < 0) return line;
      // Passwords in URLs may contain anything if nobody has escaped them.
      const scheme = line.indexOf("://");
      return scheme < 0 || scheme > at
        ? withoutNames(line)
        : `${withoutNames(line.slice(0, scheme))}://${MASK}${line.slice(at)}`;
    })
    .join("\n");
}

function withoutNames(line: string): string {
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

/** The value of a key that looks like a secret, to the end of its line. */
function redactNamed(text: string): string {
  let shown = "";
  let at = 0;
  NAMED.lastIndex = 0;
  for (let found = NAMED.exec(text); found !== null; found = NAMED.exec(text)) {
    if (!looksSecretAnywhere(found[1]!)) continue;
    const start = NAMED.lastIndex;
    if (text.startsWith(MASK, start)) continue;
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    shown += text.slice(at, start) + MASK;
    at = end;
    NAMED.lastIndex = end;
  }
  return shown + text.slice(at);
}
