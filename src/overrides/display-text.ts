import type { KeyPath } from "./key-path.js";
import { redact } from "./redact.js";

/**
 * Maximum length of a key in messages, in characters. All known keys are
 * shorter.
 */
const MAX_CHARACTERS = 60;
/**
 * Maximum number of keys in a path in messages; longer paths are truncated. All
 * known paths are shorter.
 */
const MAX_KEYS = 16;

/**
 * Formats a path for messages, such as `virtualhosts[0].name`. Keys with
 * special characters are quoted; long keys and long paths are truncated.
 */
export function pathText(path: KeyPath): string {
  let text = "";
  for (const part of path.slice(0, MAX_KEYS)) {
    if (typeof part === "number") text += `[${part}]`;
    else if (part.length > MAX_CHARACTERS || !/^[\w$*-]+$/.test(part))
      text += `[${JSON.stringify(displayKey(part))}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return path.length > MAX_KEYS ? `${text}...` : text;
}

/** Formats a key for a message: on one line, truncated, with secrets masked. */
export function displayKey(key: string): string {
  const shown = redact(key.slice(0, 4 * MAX_CHARACTERS));
  return shown.length > MAX_CHARACTERS
    ? `${shown.slice(0, MAX_CHARACTERS - 3)}...`
    : shown;
}

/**
 * Formats a value for a message: on one line, truncated, with secrets masked.
 */
export function displayText(text: string): string {
  return displayKey(text);
}
