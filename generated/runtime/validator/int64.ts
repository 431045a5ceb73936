import type { Key, Run } from "./run.js";

/** Whether a number may be in the place of the digits of a 64-bit integer; it is converted where the run asks for that. */
export function takesNumber(
  run: Run,
  key: Key,
  value: unknown,
  expected: string,
): boolean {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return false;
  const fits = expected === "int64" || (expected === "uint64" && value >= 0);
  if (fits && run.int64Numbers === "convert") replace(run, key, String(value));
  return fits;
}

/** Puts another value where the run is. */
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
