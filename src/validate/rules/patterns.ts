import { child } from "../../model/build/context.js";
import { dialectDifference } from "../pattern-dialects.js";
import type { Rule } from "../rule.js";

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
