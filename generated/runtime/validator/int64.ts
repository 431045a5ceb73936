/* eslint-disable */
// biome-ignore-all lint: generated

import type { Int64Rule, Key, Run } from "./contract.js";

/**
 * Accepts integers that a JavaScript number represents exactly: up to 2^53 - 1.
 */
export const acceptInt64Numbers: Int64Rule = (_run, _key, value, expected) =>
  typeof value === "number" &&
  Number.isSafeInteger(value) &&
  (expected === "int64" || (expected === "uint64" && value >= 0));

/**
 * Accepts the same integers as `acceptInt64Numbers`. In the validated value,
 * replaces the integers with strings of digits.
 */
export const convertInt64Numbers: Int64Rule = (run, key, value, expected) => {
  if (!acceptInt64Numbers(run, key, value, expected)) return false;
  if (run.isProbing !== true) replace(run, key, String(value));
  return true;
};

/**
 * Replaces the value at a key of the current value, or the current value itself
 * if the key is undefined.
 */
function replace(run: Run, key: Key, value: string): void {
  const { path } = run;
  const depth = key === undefined ? run.depth - 1 : run.depth;
  const last = key ?? path[depth];
  if (last === undefined) {
    run.root = value;
    return;
  }
  let owner = run.root as Record<string | number, unknown>;
  for (let level = 0; level < depth; level++)
    owner = owner[path[level]!] as Record<string | number, unknown>;
  owner[last] = value;
}
