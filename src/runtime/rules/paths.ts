import { redact } from "./mask.js";
import type { Properties } from "./properties.js";

/** Path to a value. A string is a map key; a number is a list index. */
export type KeyPath = readonly (string | number)[];

/**
 * Maximum length of a key in messages, in characters. Keys in schemas are
 * shorter.
 */
const MAX_SHOWN = 60;

/** Maximum number of keys in a path in messages; longer paths are truncated. */
const MAX_KEYS = 16;

/**
 * Formats a path for messages, such as `hosts[0].name`. Keys with special
 * characters are quoted; long keys and long paths are truncated.
 */
export function pathText(path: KeyPath, properties: Properties): string {
  let text = "";
  for (const part of path.slice(0, MAX_KEYS)) {
    if (typeof part === "number") text += `[${part}]`;
    else if (part.length > MAX_SHOWN || !/^[\w$*-]+$/.test(part))
      text += `[${JSON.stringify(displayText(part, properties))}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return path.length > MAX_KEYS ? `${text}...` : text;
}

/**
 * Formats a key or value for a message: on one line, truncated, with secrets
 * masked.
 */
export function displayText(text: string, properties: Properties): string {
  const shown = redact(text.slice(0, 4 * MAX_SHOWN), properties);
  return shown.length > MAX_SHOWN
    ? `${shown.slice(0, MAX_SHOWN - 3)}...`
    : shown;
}

/**
 * Converts a path of `pathText` to a JSON pointer (RFC 6901). Keys that
 * `pathText` masks or truncates remain so.
 */
export function pointerOf(path: string): string {
  const parts = path.match(/\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/g) ?? [];
  return parts
    .map((part) =>
      part.startsWith('["') ? (JSON.parse(part.slice(1, -1)) as string) : part,
    )
    .map((key) => `/${key.replace(/~/g, "~0").replace(/\//g, "~1")}`)
    .join("");
}

/**
 * Replaces each `[]` in the path `general` with the list index at the same
 * position in the path `near`. Stops at the first key that differs between the
 * paths.
 */
export function concretePath(general: string, near: KeyPath): string {
  const parts = general.split(/\.|(?=\[\])/);
  let isSame = true;
  let text = "";
  for (const [index, part] of parts.entries()) {
    const other = near[index];
    isSame &&= part === "[]" ? typeof other === "number" : part === other;
    const segment = isSame && typeof other === "number" ? `[${other}]` : part;
    text += text === "" || part === "[]" ? segment : `.${segment}`;
  }
  return text;
}

/** Appends a relative path to a path. */
export function joinPaths(path: string, relative: string): string {
  if (path === "") return relative;
  return relative === "" ? path : `${path}.${relative}`;
}
