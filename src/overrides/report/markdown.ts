/** Escapes HTML and links in Markdown text, except within code spans. */
export function markdownText(text: string): string {
  return text.replace(/</g, "&lt;").replace(/[[\]]/g, "\\$&");
}

/**
 * Formats text as a code span. The delimiter has one more backtick than the
 * longest sequence of backticks in the text.
 */
export function markdownCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
