/** Returns text that Markdown neither reads as HTML nor as a link; code spans stay. */
export function markdownText(text: string): string {
  return text.replace(/</g, "&lt;").replace(/[[\]]/g, "\\$&");
}

/** Returns a code span that no backtick of the text can end. */
export function markdownCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
