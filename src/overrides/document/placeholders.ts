const PATTERNS = [
  /\$\([^)]*\)/,
  /\$\{[A-Za-z_][^}]*\}/,
  /\$[A-Za-z_]\w*/,
  /<[A-Za-z][\w .-]*>/,
  /_YOUR_[A-Z0-9_]+?_(?![A-Z0-9])/,
];
const WHOLE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const ANY = new RegExp(PATTERNS.map(({ source }) => source).join("|"), "g");

/** What in a text still waits to be filled in: `$VAR`, `<NAME>`, `_YOUR_NAME_`, `SOME_NAME`. */
export function placeholdersIn(text: string): string[] {
  if (WHOLE.test(text)) return [text];
  return [...text.matchAll(ANY)].map(([found]) => found);
}
