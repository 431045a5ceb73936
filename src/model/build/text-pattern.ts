import type { RawSchema } from "../../load/raw.js";
import { javaScriptPattern } from "./re2-pattern.js";

/** Characters that regular expressions contain, and names of formats do not. */
const SYNTAX = /[\\^$*+?()[\]{}|]/;

/** Anchor at the end of a regular expression, which is not escaped. */
const END = /(?:^|[^\\])(?:\\\\)*\$$/;

/**
 * Tests whether the `format` of a string is a regular expression instead of the
 * name of a format. Next to `pattern`, it is always a name.
 */
export function isFormatPattern({
  type = "string",
  format,
  pattern,
}: RawSchema): boolean {
  return (
    type === "string" &&
    format !== undefined &&
    pattern === undefined &&
    SYNTAX.test(format)
  );
}

/**
 * Returns the regular expression that strings must match: `pattern`, otherwise
 * the regular expression in `format`. Returns undefined if the schema has
 * neither.
 */
export function textPattern(raw: RawSchema): string | undefined {
  if (raw.pattern !== undefined) return javaScriptPattern(raw.pattern);
  return isFormatPattern(raw)
    ? javaScriptPattern(anchored(raw.format!))
    : undefined;
}

/**
 * Returns a regular expression that matches the complete string, because
 * validators enforce only anchored patterns.
 */
function anchored(format: string): string {
  if (format.startsWith("^")) return format;
  if (format.includes("|")) return `^(?:${format})$`;
  return `^${format}${END.test(format) ? "" : "$"}`;
}
