/* eslint-disable */
// biome-ignore-all lint: generated

import { encode, toText } from "./escape.js";
import type { Lookup, Service } from "./service.js";

/**
 * Expands the expressions `{name}` and `{+name}` in a path. Most paths contain
 * only these expressions.
 *
 * @throws TypeError for a value that is missing or that would change the path,
 *   such as `..`.
 */
export function expandPath(
  path: string,
  lookup: Lookup,
  { keepReserved = (text) => encode(text).replace(/%2F/g, "/") }: Service,
): string {
  return path.replace(/\{(\+?)([^{}]+)\}/g, (_, plus: string, name: string) => {
    const text = toText(lookup(name) ?? "");
    const value = (plus ? keepReserved : encode)(text);
    if (!value || dotSegment.test(value))
      throw new TypeError(`path parameter ${name}: empty or dot segment`);
    return value;
  });
}

/**
 * Matches path segments that a URL parser would resolve: `.` and `..`,
 * including percent-encoded dots.
 */
export const dotSegment: RegExp = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
