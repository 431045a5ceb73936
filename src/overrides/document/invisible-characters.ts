import { yamlProblem, type YamlProblem } from "./tree.js";

/**
 * Pattern for zero-width characters, and for space characters that YAML does not
 * treat as white space.
 */
const INVISIBLE = /[\u00a0\u00ad\u180e\u200b-\u200f\u202f\u2060-\u2064\ufeff]/g;

/**
 * Maximum number of invisible characters that are reported. Pasted text can
 * contain many of them.
 */
const MAX_PROBLEMS = 20;

/** Rule S13: finds invisible characters outside comments. */
export function findInvisibleCharacters(text: string): YamlProblem[] {
  const found: YamlProblem[] = [];
  let commentUntil = 0;
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    if (found.length === MAX_PROBLEMS) break;
    if (index < commentUntil) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const end = text.indexOf("\n", index);
    if (/(?:^|\s)#/.test(text.slice(start, index))) {
      commentUntil = end < 0 ? text.length : end;
      continue;
    }
    const code = character.codePointAt(0)!.toString(16).padStart(4, "0");
    found.push(
      yamlProblem(
        "S13",
        index,
        `the invisible character U+${code.toUpperCase()} is not allowed`,
      ),
    );
  }
  return found;
}
