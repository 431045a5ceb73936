/* eslint-disable */
// biome-ignore-all lint: generated

/** Bytes of an object or array besides those of its values. */
const CONTAINER = 64;

/** Bytes of a value within another. */
const SLOT = 16;

/**
 * Estimates the bytes that a JSON value takes in memory, from above. Takes time
 * in proportion to the value.
 */
export function memorySize(value: unknown): number {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    size += SLOT;
    if (typeof next === "string") size += CONTAINER / 2 + 2 * next.length;
    else if (typeof next === "object" && next !== null) {
      size += CONTAINER;
      if (Array.isArray(next)) for (const one of next) pending.push(one);
      else
        for (const [name, one] of Object.entries(next)) {
          size += SLOT + 2 * name.length;
          pending.push(one);
        }
    }
  }
  return size;
}
