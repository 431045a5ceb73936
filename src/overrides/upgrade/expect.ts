import type { Ended } from "./exec.js";
import type { Expectation } from "./step.js";

/** A node of the ring as `nodetool status` shows it. */
const NODE = /^([UD?])([NLJM?])\s+\S+/;

/** Whether what a command said is what was expected; else why not. */
export function unmet(
  expect: Expectation,
  { code, stdout, error, isLate }: Ended,
  old: readonly string[] | undefined,
): string | undefined {
  if (isLate) return "no answer in time";
  if (code !== 0) return error ?? `exit code ${code}`;
  switch (expect.kind) {
    case "success":
      return undefined;
    case "nothing":
      return stdout.trim() === "" ? undefined : "something is still there";
    case "matches":
      return new RegExp(expect.pattern).test(stdout)
        ? undefined
        : "it is not listed";
    case "lacks":
      return linesThat(stdout, new RegExp(expect.pattern));
    case "ring":
      return unmetRing(expect, stdout);
    case "old-gone":
      return old === undefined
        ? "what was there before was never noted (step C0)"
        : unmetOld(stdout, old);
  }
}

function linesThat(stdout: string, pattern: RegExp): string | undefined {
  const count = stdout.split("\n").filter((line) => pattern.test(line)).length;
  return count === 0 ? undefined : `${count} of them are not`;
}

function unmetRing(
  { least, most }: { readonly least: number; readonly most?: number },
  stdout: string,
): string | undefined {
  const nodes = stdout.split("\n").filter((line) => NODE.test(line));
  const rings = stdout.match(/^Datacenter: /gm)?.length ?? 1;
  const down = nodes.filter((line) => !line.startsWith("UN"));
  if (down.length > 0)
    return `${down.length} of ${nodes.length} nodes are not up`;
  if (nodes.length < least)
    return `${nodes.length} nodes, ${least} are expected`;
  if (most !== undefined && nodes.length > most * rings)
    return `${nodes.length} nodes, ${most} are expected`;
  return undefined;
}

function unmetOld(stdout: string, old: readonly string[]): string | undefined {
  const now = new Set(stdout.split(/\s+/));
  const left = old.filter((name) => now.has(name));
  return left.length === 0
    ? undefined
    : `${left.length} are still there, such as ${left[0]}`;
}
