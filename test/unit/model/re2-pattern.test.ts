import { expect, test } from "vitest";
import { javaScriptPattern } from "../../../src/model/build/re2-pattern.js";

test.each([
  ["(?i)^abc$", "^[aA][bB][cC]$"],
  ["^(?i)a1(?-i)b$", "^[aA]1b$"],
  ["^(?i:a)b$", "^(?:[aA])b$"],
  ["^((?i)a|b)c$", "^([aA]|[bB])c$"],
  ["(?i)^[a-f0-9_]{2,}$", "^[a-fA-F0-9_]{2,}$"],
  ["(?i)^[X-b]$", "^[X-bA-Bx-z]$"],
  ["(?i)^[^k\\d]é$", "^[^kK\\d][éÉ]$"],
  ["(?s)^a.b$", "^a[\\s\\S]b$"],
  ["^a.b(?s:.)$", "^a.b(?:[\\s\\S])$"],
  ["(?is)^a.$", "^[aA][\\s\\S]$"],
  ["(?U)^a+$", "^a+$"],
  ["\\Aa+\\z", "^a+$"],
  ["^(?P<year>[0-9]{4})-(?<month>\\d\\d)$", "^(?:[0-9]{4})-(?:\\d\\d)$"],
  ["^[[:alpha:]_][[:alnum:]]*$", "^[A-Za-z_][0-9A-Za-z]*$"],
  ["^[^[:space:]]+$", "^[^\\t-\\r ]+$"],
  ["(?i)^[[:lower:]]$", "^[A-Za-z]$"],
  ["^\\Qa.b\\E\\x{2d}$", "^a\\.b-$"],
  ["(?i)\\Qa*\\E", "[aA]\\*"],
  ["\\A[]a]\\z", "^[\\]a]$"],
])("%s is %s", (pattern, expected) => {
  expect(javaScriptPattern(pattern)).toBe(expected);
  expect(() => new RegExp(expected)).not.toThrow();
  expect(() => new RegExp(expected, "u")).not.toThrow();
});

test.each([
  "^abc$",
  "^(?:a|b)(?=c)$",
  "\\w+[a-z]",
  // These have no equivalent without flags, or are not valid in RE2.
  "(?m)^a$",
  "(?x)a",
  "(?i)\\pL",
  "(?i)[[:^alpha:]]",
  "(?i)(?=a)b",
  "(?i)(a)\\1",
  "(?i)[a",
  "(?i)a)",
  "(?i)(a",
  "(?i)\\",
  "(?i)[[:nothing:]]",
  "(?i",
  `(?i)${"a".repeat(2_000)}`,
])("%.40s stays as it is", (pattern) => {
  expect(javaScriptPattern(pattern)).toBe(pattern);
});
