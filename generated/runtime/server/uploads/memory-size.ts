/* eslint-disable */
// biome-ignore-all lint: generated

/** Estimated memory overhead of an object or array in bytes. */
const CONTAINER = 64;

/** Estimated memory overhead of an entry in an object or array in bytes. */
const SLOT = 16;

/**
 * Estimates the memory in bytes that a JSON value uses. Takes linear time. The
 * estimate is deliberately high.
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
