import type { FilePath } from "./key-path.js";
import { redact } from "./redact.js";

/** Longest key of a path in characters; no property's key is longer. */
const MOST_CHARACTERS = 60;
/** Most keys of a path that are named; the table is less deep. */
const MOST_KEYS = 16;

/** `virtualhosts[0].name`; odd keys in quotes. Long keys and long paths are cut. */
export function pathText(path: FilePath): string {
  let text = "";
  for (const part of path.slice(0, MOST_KEYS)) {
    if (typeof part === "number") text += `[${part}]`;
    else if (part.length > MOST_CHARACTERS || !/^[\w$*-]+$/.test(part))
      text += `[${JSON.stringify(shownKey(part))}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return path.length > MOST_KEYS ? `${text}...` : text;
}

/** A key as messages show it: not longer than a line, and without secrets. */
export function shownKey(key: string): string {
  const shown = redact(key.slice(0, 4 * MOST_CHARACTERS));
  return shown.length > MOST_CHARACTERS
    ? `${shown.slice(0, MOST_CHARACTERS - 3)}...`
    : shown;
}

/** A value as messages show it: not longer than a line, and without secrets. */
export function shownText(text: string): string {
  return shownKey(text);
}
