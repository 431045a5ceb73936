import { visible } from "../../diagnostics/reporters/output.js";

/**
 * Escapes text for Markdown. Inserts an HTML comment after each `@` and `#`, so
 * that the text can't mention users or refer to issues.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_{}[\]()#+\-.!|~]/g, "\\$&")
    .replace(/@|\\#/g, "$&<!-- -->")
    .replace(/https?:/gi, (scheme) => `${scheme.slice(0, -1)}<!-- -->:`);
}

/**
 * Formats text as a code span. Its delimiter has more backticks than any
 * sequence of backticks in the text.
 */
export function codeSpan(text: string): string {
  const shown = visible(text);
  const runs = shown.match(/`+/g) ?? [];
  const length = Math.max(0, ...runs.map((run) => run.length)) + 1;
  const fence = "`".repeat(length);
  const pad = length > 1 || /^ | $/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
