import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../src/runtime/server/routing/pattern.js";
import { simulate } from "../../../src/runtime/server/routing/pattern-machine.js";
import { parsePattern } from "../../../src/runtime/server/routing/pattern-syntax.js";

/** Patterns of descriptions with matching and other texts. */
const PATTERNS: readonly (readonly [string, readonly string[]])[] = [
  ["^a+$", ["a", "aaa", "", "ab", "ba"]],
  ["[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?", ["a", "a-b", "-a", "A", ""]],
  ["\\w[\\w.-]{0,3}", ["a", "a.b-", "-a", "abcdefg"]],
  ["(a|b)*c", ["c", "ababc", "abab", "d"]],
  [
    "^(?:(?:[-a-z0-9]{1,63}\\.)*x:)?[0-9]{1,3}$",
    ["1", "a.b.x:12", "a.x", "1234"],
  ],
  [
    "\\d{4}-\\d{2}|(today)(([\\-\\+]\\d+[dwmy]){0,3}?)",
    ["2020-01", "today-1d+2w", "t"],
  ],
  ["[^/]+/.*", ["a/b/c", "a/", "/a", ""]],
  ["^$", ["", "a"]],
  ["a{2}", ["aa", "a", "aaa"]],
  ["a{1500}", ["a", "a".repeat(1500)]],
  ["a{2,}$", ["aa", "aaaa", "a", "aab"]],
  ["[\\]\\-a]+$", ["]-a", "b"]],
  ["x*?y$", ["xxy", "xx"]],
];

describe("patterns match like the platform's engine", () => {
  test.each(PATTERNS)("%s", (pattern, texts) => {
    const expected = new RegExp(`^(?:${pattern})`);
    const run = simulate(parsePattern(pattern)!)!;
    const compiled = compilePattern(pattern)!;
    for (const text of texts) {
      expect(run(text), text).toBe(expected.test(text));
      expect(compiled(text), text).toBe(expected.test(text));
    }
  });
});

test.each(["(?=a)b", "(a)\\1", "a\\b", "\\p{L}", "(", "[z-a]", "(?<n>a)"])(
  "%s is not supported",
  (pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
  },
);

test.each(["^(a+)+$", "^(a|a)*$", "^(a*)*b$", "^(.*a){20}$", "^.*.*.*x$"])(
  "%s takes linear time",
  (pattern) => {
    const text = `${"a".repeat(20_000)}!`;
    expect(compilePattern(pattern)!(text)).toBe(false);
  },
);
