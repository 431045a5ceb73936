import { child } from "../../model/build/context.js";
import type { PathToken } from "../../model/ir.js";
import { parseTemplate } from "../../model/uri-template.js";
import type { RawMethod } from "../../load/raw.js";
import { quoted, type Rule } from "../rule.js";

/** Rules about the paths of methods. */
export const pathRules: readonly Rule[] = [
  {
    id: "path-flat-mismatch",
    severity: "warning",
    cause:
      "path and flatPath describe different requests; clients use path, and servers route by flatPath.",
    fix: "Correct flatPath; it must be equal to path, with `{+name}` replaced by the segments of its pattern.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods)
        if (!isExpansion(raw))
          report(
            `${id}: flatPath ${quoted(raw.flatPath)} does not match path ${quoted(raw.path)}`,
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
 * Tests whether flatPath is an expansion of path: literals are equal, `{name}`
 * is one segment, and `{+name}` is one or more segments. Names can differ,
 * because flatPath has a name for each segment.
 */
function isExpansion({ path, flatPath }: RawMethod): boolean {
  if (path === undefined || flatPath === undefined) return true;
  if (path === flatPath) return true;
  const { tokens } = parseTemplate(path);
  const added = flatPath.split("/").length - path.split("/").length;
  const isOpen = tokens.some(({ kind }) => kind === "multi");
  // A slash at the start of only one of the paths is ignored, because it occurs
  // in some documents.
  const start = flatPath.startsWith("/") && !path.startsWith("/") ? 1 : 0;
  if (isOpen ? added < start : added !== start) return false;
  return hasLiterals(flatPath, start, tokens);
}

/**
 * Tests whether a string consists of the literals of a template, with at least
 * one character for each variable. Takes linear time.
 */
function hasLiterals(
  text: string,
  start: number,
  tokens: readonly PathToken[],
): boolean {
  let at = start;
  let isVariable = false;
  for (const [index, token] of tokens.entries()) {
    if ("name" in token) {
      isVariable = true;
      at++;
      continue;
    }
    const literal = token.kind === "verb" ? `:${token.text}` : token.text;
    const isLast = index === tokens.length - 1;
    const end = text.length - literal.length;
    const found = !isVariable ? at : isLast ? end : text.indexOf(literal, at);
    if (found < at || !text.startsWith(literal, found)) return false;
    at = found + literal.length;
    isVariable = false;
  }
  return isVariable ? at <= text.length : at === text.length;
}
