import { visible } from "../../diagnostics/reporters/output.js";

/**
 * Escapes text for Markdown. An HTML comment is inserted after each `@` and
 * `#`, to prevent mentions of users and references to issues.
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
 * Formats text as a code span, with a delimiter that the text does not contain.
 */
export function codeSpan(text: string): string {
  const shown = visible(text);
  const runs = shown.match(/`+/g) ?? [];
  const length = Math.max(0, ...runs.map((run) => run.length)) + 1;
  const fence = "`".repeat(length);
  const pad = length > 1 || /^ | $/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
