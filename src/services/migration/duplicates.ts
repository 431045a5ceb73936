/**
 * Pattern for JSON strings, braces and brackets. An unterminated string matches
 * up to the end of the text, so that matching takes linear time.
 */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)(\s*:)?|[{}[\]]/gs;

/**
 * Returns the name of the first duplicate top-level member of a JSON object.
 * Duplicates are ambiguous: parsers differ in which value they use.
 */
export function duplicateMember(json: string): string | undefined {
  const names = new Set<string>();
  let depth = 0;
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && colon !== undefined) {
      const name = decode(token.slice(0, -colon.length));
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

/**
 * Decodes a JSON string. Malformed strings are reported later by the JSON
 * parser.
 */
function decode(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
