/**
 * Order of keys: by the bytes of their UTF-8. Differs from the order of
 * JavaScript's strings only where surrogates meet characters behind them.
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

/** Surrogates stand for characters behind all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether a text has a form in UTF-8: halves of surrogate pairs have none. */
export function isKey(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** @throws TypeError for a key that would be stored as another one. */
export function checkKey(key: string): void {
  if (isKey(key)) return;
  throw new TypeError(
    `a key has half a surrogate pair: ${JSON.stringify(key)}`,
  );
}

/** The first text behind all that start so; undefined where there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0)!;
    if (point === 0x10ffff) continue;
    // Surrogates are no characters.
    const next = point === 0xd7ff ? 0xe000 : point + 1;
    return points.join("") + String.fromCodePoint(next);
  }
  return undefined;
}
