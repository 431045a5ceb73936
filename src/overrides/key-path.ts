import {
  displayText as show,
  pathText as format,
  type KeyPath,
} from "../runtime/rules/paths.js";
import { propertyIndex } from "./schema/property-index.js";

export type { KeyPath } from "../runtime/rules/paths.js";

/** Formats a path for messages, with secrets masked. */
export function pathText(path: KeyPath): string {
  return format(path, propertyIndex());
}

/** Formats a key or value for messages, with secrets masked. */
export function displayText(text: string): string {
  return show(text, propertyIndex());
}

/**
 * Returns a path as a string in which `[]` replaces each list index:
 * `virtualhosts[].name`.
 */
export function generalPath(path: KeyPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += "[]";
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
