/**
 * Returns the text after a search, for which V8 joins the parts of a
 * concatenated text. Without it, each part that was printed stays in memory
 * with the file: 1.3 times the peak for three targets of a large document.
 */
export function joined(text: string): string {
  /\S/.test(text);
  return text;
}
