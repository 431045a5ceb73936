/**
 * Strings, keywords and numbers of the samples. The samples are printed by this
 * project and have no comments, so that one pattern is enough for all of their
 * languages. An open string ends with its text, so that the search is linear. Colors
 * are added in the browser: a highlighter with grammars takes 6 ms for a sample at
 * build time, more than a minute for 205 documents, and makes pages larger.
 */
const TOKENS =
  /("(?:[^"\\\n]|\\.)*"?|'[^']*'?|`[^`]*`?)|\b(import|from|const|await|for|of|if|throw|new|package|func|defer|panic|return|with|as|nil|true|false|null|True|False|None)\b|\b(\d+)\b/g;

const CLASSES = ["string", "keyword", "number"] as const;

/** Replaces the text of a code element, with colors. */
export function showCode(code: HTMLElement, text: string): void {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = CLASSES[match.slice(1).findIndex(Boolean)];
    const span = document.createElement("span");
    span.className = `t-${kind}`;
    span.textContent = match[0];
    parts.push(text.slice(at, match.index), span);
    at = match.index + match[0].length;
  }
  code.replaceChildren(...parts, text.slice(at));
}
