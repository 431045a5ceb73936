import { child } from "../../model/build/context.js";
import { parseTemplate } from "../../model/uri-template.js";
import type { RawMethod } from "../../load/raw.js";
import type { Rule } from "../rule.js";
import { quoted } from "../words.js";

/** Rules about paths. */
export const pathRules: readonly Rule[] = [
  {
    id: "path-flat-mismatch",
    severity: "warning",
    cause:
      "path and flatPath describe different requests; clients use path, and servers route by flatPath.",
    fix: "Correct flatPath: it is path with `{+name}` replaced by the segments of its pattern.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods)
        if (!isExpansion(raw))
          report(
            `${id}: flatPath ${quoted(raw.flatPath)} does not expand path ${quoted(raw.path)}`,
            child(at, "flatPath"),
          );
    },
  },
  {
    id: "path-absolute",
    severity: "warning",
    cause:
      "The path starts with a slash, but paths are relative to servicePath; some clients would request it at the root of the host.",
    fix: "Remove the slash.",
    check({ methods, document }, report) {
      if ((document.servicePath ?? "") === "") return;
      for (const { id, raw, at } of methods)
        if (raw.path?.startsWith("/") === true)
          report(
            `${id}: path ${quoted(raw.path)} starts with a slash`,
            child(at, "path"),
          );
    },
  },
];

/**
 * Returns true if flatPath is an expansion of path: equal literals, one segment
 * for `{name}`, one or more for `{+name}`. Names can differ, since flatPath
 * names each segment.
 */
function isExpansion({ path, flatPath }: RawMethod): boolean {
  if (path === undefined || flatPath === undefined) return true;
  if (path === flatPath) return true;
  const source = parseTemplate(path).tokens.map((token) => {
    if (token.kind === "literal") return escaped(token.text);
    if (token.kind === "verb") return escaped(`:${token.text}`);
    // A segment is a variable or a literal of the pattern.
    return token.kind === "multi" ? ".+" : "[^/]+";
  });
  return new RegExp(`^/?${source.join("")}$`).test(flatPath);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
