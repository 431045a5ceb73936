/**
 * Compares keys by their UTF-8 bytes. The result differs from the comparison of
 * JavaScript strings only between surrogates and characters from U+E000 to
 * U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/**
 * Returns the sort order of a UTF-16 code unit. Surrogates come last, because
 * they encode code points above U+FFFF.
 */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Tests whether a string contains no lone surrogates, so that it can be encoded
 * as UTF-8.
 */
export function isKey(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * @throws TypeError for a key with a lone surrogate, because it would be stored
 *   as a different key
 */
export function checkKey(key: string): void {
  if (isKey(key)) return;
  throw new TypeError(
    `the key must not contain lone surrogates: ${JSON.stringify(key)}`,
  );
}

/**
 * Returns the smallest key that is greater than all keys with a prefix;
 * undefined if no such key exists.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0)!;
    if (point === 0x10ffff) continue;
    // The range of the surrogates is skipped, because surrogates are not
    // characters.
    const next = point === 0xd7ff ? 0xe000 : point + 1;
    return points.join("") + String.fromCodePoint(next);
  }
  return undefined;
}
