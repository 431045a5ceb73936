import { expect, test } from "vitest";
import {
  hasInvisible,
  replaceInvisible,
  visible,
  visibleLines,
} from "../../../src/diagnostics/invisible.js";

const TEXT = "a\tb\n\u001b\u0085\u00ad\u061c\u200b\u2028\u202e\u2066\ufeffé";

test("control and invisible characters are escaped or replaced", () => {
  const escaped =
    "\\u001b\\u0085\\u00ad\\u061c\\u200b\\u2028\\u202e\\u2066\\ufeffé";
  expect(visible(TEXT)).toBe(`a\\tb\\n${escaped}`);
  expect(visibleLines(TEXT)).toBe(`a\tb\n${escaped}`);
  expect(replaceInvisible(TEXT)).toBe(`a\tb\n${"\ufffd".repeat(9)}é`);
  expect([TEXT, "a\tb\né"].map(hasInvisible)).toEqual([true, false]);
});
