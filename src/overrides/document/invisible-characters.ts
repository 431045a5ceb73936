import { trouble, type Trouble } from "./parsed-yaml.js";

/** Characters without a shape, and spaces that are none for YAML. */
const INVISIBLE = /[\u00a0\u00ad\u180e\u200b-\u200f\u202f\u2060-\u2064\ufeff]/g;

/** Places that are reported; a text that was pasted has many. */
const MOST = 20;

/** S13: characters that cannot be seen, outside comments. */
export function findInvisible(text: string): Trouble[] {
  const found: Trouble[] = [];
  let commentUntil = 0;
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    if (found.length === MOST) break;
    if (index < commentUntil) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const end = text.indexOf("\n", index);
    if (/(?:^|\s)#/.test(text.slice(start, index))) {
      commentUntil = end < 0 ? text.length : end;
      continue;
    }
    const code = character.codePointAt(0)!.toString(16).padStart(4, "0");
    found.push(
      trouble(
        "S13",
        index,
        `the character U+${code.toUpperCase()} is invisible`,
      ),
    );
  }
  return found;
}
