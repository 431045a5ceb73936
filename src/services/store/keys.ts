/**
 * Compares keys by their UTF-8 bytes. This differs from the order of JavaScript
 * strings only between surrogates and U+E000 to U+FFFF.
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
 * Returns the sort order of a UTF-16 code unit. Surrogates come last because
 * they encode code points above U+FFFF.
 */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Returns true if a string has no lone surrogates, so that UTF-8 can encode it.
 */
export function isKey(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * @throws TypeError for a key with a lone surrogate, which would be stored as
 * another key
 */
export function checkKey(key: string): void {
  if (isKey(key)) return;
  throw new TypeError(
    `the key must not have lone surrogates: ${JSON.stringify(key)}`,
  );
}

/**
 * Returns the smallest key greater than all keys with a prefix; undefined if
 * there is none.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0)!;
    if (point === 0x10ffff) continue;
    // Skips the surrogates, which are not characters.
    const next = point === 0xd7ff ? 0xe000 : point + 1;
    return points.join("") + String.fromCodePoint(next);
  }
  return undefined;
}
