/** A string that does not end goes to the end of the text, so that none is tried twice. */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)(\s*:)?|[{}[\]]/gs;

/**
 * The first member that an object of JSON has twice at its top; undefined where
 * there is none. Readers differ in which of the two they believe.
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

/** What is no JSON is told by the parser, later. */
function decode(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
