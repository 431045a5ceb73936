const PATTERNS = [
  /\$\([^)]*\)/,
  /\$\{[A-Za-z_][^}]*\}/,
  /\$[A-Za-z_]\w*/,
  /<[A-Za-z][\w .-]*>/,
  /_YOUR_[A-Z0-9_]+?_(?![A-Z0-9])/,
];
const WHOLE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const ANY = new RegExp(PATTERNS.map(({ source }) => source).join("|"), "g");

/**
 * What in a text still waits to be filled in: `$VAR`, `<NAME>`, `_YOUR_NAME_`,
 * `SOME_NAME`. A secret is taken for one only as a whole: passwords like signs.
 */
export function placeholdersIn(text: string, isSecret: boolean): string[] {
  if (WHOLE.test(text)) return isSecret ? [] : [text];
  const found = [...text.matchAll(ANY)].map(([name]) => name);
  return isSecret ? found.filter((name) => name === text) : found;
}
