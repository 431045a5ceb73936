import { child } from "../../model/build/context.js";
import type { Rule } from "../rule.js";

/**
 * Escapes that have a meaning in RE2 but represent only their letter in
 * JavaScript.
 */
const RE2_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["A", "the start of the text"],
  ["z", "the end of the text"],
  ["Q", "the start of quoted text"],
  ["E", "the end of quoted text"],
  ["a", "the bell character"],
  ["C", "any byte"],
  ["p", "a Unicode class"],
  ["P", "a Unicode class"],
]);

/** Pattern for escapes that have the same meaning in RE2 and JavaScript. */
const COMMON_ESCAPES = /[dDsSwWbBtnvfrx0]/;

/** Pattern for a repeated character beyond the Basic Multilingual Plane. */
const REPEATED_PAIR = /^[\ud800-\udbff][\udc00-\udfff][*+?{]/;

/** Largest repetition count that RE2 supports. */
const MAX_REPETITION = 1_000;

/** Part of a pattern that has different meanings in JavaScript and RE2. */
interface DialectDifference {
  /** Text of the part. */
  readonly syntax: string;
  readonly javaScript: string;
  readonly re2: string;
}

/**
 * Finds the first syntax in a pattern that JavaScript (without flags) and RE2
 * interpret differently, or that RE2 rejects. Servers of Google APIs check
 * patterns with RE2 (https://github.com/google/re2/wiki/Syntax). Differences of
 * `.`, `\s` and negated sets for rare line terminators, spaces and characters
 * beyond the Basic Multilingual Plane are ignored. The pattern must be valid in
 * JavaScript.
 */
export function dialectDifference(
  pattern: string,
): DialectDifference | undefined {
  for (let at = 0, inClass = false; at < pattern.length;) {
    const rest = pattern.slice(at, at + 40);
    const found = inClass ? classDifference(rest) : plainDifference(rest);
    if (found !== undefined) return found;
    const wasInClass = inClass;
    if (rest.startsWith("[") && !inClass) inClass = true;
    else if (rest.startsWith("]")) inClass = false;
    at += rest.startsWith("\\") ? 2 : 1;
    // `[^` is skipped as a unit, because a `]` directly after it closes the
    // character class.
    if (!wasInClass && inClass && pattern[at] === "^") at++;
  }
  return undefined;
}

function plainDifference(rest: string): DialectDifference | undefined {
  const empty = /^\[\^?\]/.exec(rest)?.[0];
  if (empty !== undefined)
    return {
      syntax: empty,
      javaScript: empty === "[]" ? "no character" : "any character",
      re2: "the start of a set that contains ]",
    };
  const look = /^\(\?<?[=!]/.exec(rest)?.[0];
  if (look !== undefined) return rejected(look, "a lookaround assertion");
  const counts = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  if (
    counts !== null &&
    Math.max(+counts[1]!, +(counts[2] ?? 0)) > MAX_REPETITION
  )
    return rejected(counts[0], "a repetition");
  return commonDifference(rest, false);
}

function classDifference(rest: string): DialectDifference | undefined {
  const posix = /^\[:\^?[a-z]+:\]/.exec(rest)?.[0];
  if (posix !== undefined)
    return {
      syntax: posix,
      javaScript: "the characters themselves",
      re2: "a character class",
    };
  const range = /^[^\\\]]-\\[dDsSwW]/.exec(rest)?.[0];
  if (range !== undefined) return rejected(range, "a character, - and a class");
  return commonDifference(rest, true);
}

function commonDifference(
  rest: string,
  inClass: boolean,
): DialectDifference | undefined {
  // Outside of character classes and repetitions, a surrogate pair matches the
  // same text in RE2 and JavaScript.
  const pair = inClass ? /^[\ud800-\udbff][\udc00-\udfff]/ : REPEATED_PAIR;
  if (pair.test(rest))
    return {
      syntax: rest.slice(0, 2),
      javaScript: "two code units",
      re2: "one character",
    };
  if (!rest.startsWith("\\")) return undefined;
  const letter = rest[1] ?? "";
  const syntax = `\\${letter}`;
  const meaning = RE2_ESCAPES.get(letter);
  if (meaning !== undefined)
    return { syntax, javaScript: `the letter ${letter}`, re2: meaning };
  if (rest.startsWith("\\x{"))
    return {
      syntax: "\\x{",
      javaScript: "the letter x, repeated",
      re2: "a character with a given code",
    };
  if (/[1-9]/.test(letter)) return rejected(syntax, "a back-reference");
  if (inClass && /[bB]/.test(letter))
    return rejected(syntax, letter === "b" ? "a backspace" : "the letter B");
  if (letter === "u" || letter === "c" || letter === "k")
    return rejected(syntax, "an escape sequence of JavaScript");
  return /[A-Za-z\u0080-\uffff]/.test(letter) && !COMMON_ESCAPES.test(letter)
    ? rejected(syntax, "the letter itself")
    : undefined;
}

function rejected(syntax: string, javaScript: string): DialectDifference {
  return { syntax, javaScript, re2: "a syntax error" };
}

/** Rules about regular expressions in the field `pattern`. */
export const patternRules: readonly Rule[] = [
  {
    id: "pattern-dialect",
    severity: "warning",
    cause:
      "JavaScript and RE2 interpret the pattern differently, or RE2 rejects it; many servers use RE2. Differences in how `.`, `\\s` and negated sets treat rare line terminators, spaces and characters are not reported.",
    fix: "Write the pattern with syntax that both dialects have in common.",
    check({ schemas }, report) {
      for (const { label, raw, at } of schemas) {
        const { pattern } = raw;
        if (pattern === undefined || !isJavaScript(pattern)) continue;
        const found = dialectDifference(pattern);
        if (found !== undefined)
          report(
            `${label}: ${found.syntax} in the pattern is ${found.javaScript} in JavaScript and ${found.re2} in RE2`,
            child(at, "pattern"),
          );
      }
    },
  },
];

/**
 * Tests whether a pattern is valid in JavaScript. Other patterns are already
 * reported with the code `limit-invalid`.
 */
function isJavaScript(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
