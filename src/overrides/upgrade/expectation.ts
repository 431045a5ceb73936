import { formatCount } from "../../diagnostics/format-count.js";
import type { CommandResult } from "./execute.js";
import type { Expectation } from "./step.js";

/** Pattern for the line that `nodetool status` prints for a node. */
const NODE = /^([UD?])([NLJM?])\s+\S+/;

/**
 * Returns the reason why the result of a command does not meet an expectation;
 * undefined if it meets the expectation.
 */
export function unmetReason(
  expect: Expectation,
  { code, stdout, error, isTimedOut }: CommandResult,
  old: readonly string[] | undefined,
): string | undefined {
  if (isTimedOut) return "timeout";
  if (code !== 0) return error ?? `exit code ${code}`;
  switch (expect.kind) {
    case "success":
      return undefined;
    case "nothing":
      return stdout.trim() === ""
        ? undefined
        : "the command still lists resources";
    case "contains":
      return stdout.includes(expect.text)
        ? undefined
        : "the output does not contain the expected text";
    case "line":
      return linesOf(stdout).some((line) => line === expect.text)
        ? undefined
        : "the output does not contain the expected line";
    case "nodes-ready":
      return unmetRows(stdout, ([, status = ""]) => /^Ready(,|$)/.test(status));
    case "pods-ready":
      return unmetRows(stdout, isPodReady);
    case "ring":
      return unmetRing(expect, stdout);
    case "old-gone":
      return unmetOld(stdout, old);
  }
}

function linesOf(stdout: string): string[] {
  return stdout
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function unmetRows(
  stdout: string,
  isReady: (columns: readonly string[]) => boolean,
): string | undefined {
  const rows = linesOf(stdout);
  if (rows.length === 0) return "the command listed no resources";
  const count = rows.filter((row) => !isReady(row.split(/\s+/))).length;
  return count === 0
    ? undefined
    : `resources not ready: ${count} of ${rows.length}`;
}

function isPodReady([, ready = "", status]: readonly string[]): boolean {
  if (status === "Completed" || status === "Succeeded") return true;
  const [ran, all] = ready.split("/");
  return status === "Running" && ran === all;
}

function unmetRing(
  { least, most }: { readonly least: number; readonly most?: number },
  stdout: string,
): string | undefined {
  const nodes = stdout.split("\n").filter((line) => NODE.test(line));
  const centers = stdout.match(/^Datacenter: /gm)?.length ?? 1;
  const down = nodes.filter((line) => !line.startsWith("UN"));
  if (down.length > 0) return `nodes not up: ${down.length} of ${nodes.length}`;
  if (nodes.length < least)
    return `found ${formatCount(nodes.length, "node")}, expected at least ${least}`;
  if (most !== undefined && nodes.length > most * centers)
    return `found ${formatCount(nodes.length, "node")}, expected at most ${most * centers}`;
  return undefined;
}

function unmetOld(
  stdout: string,
  old: readonly string[] | undefined,
): string | undefined {
  if (old === undefined || old.length === 0)
    return "the resources of the old runtime were not recorded; run step C0";
  const listed = new Set(linesOf(stdout));
  const remaining = old.filter((name) => listed.has(name));
  return remaining.length === 0
    ? undefined
    : `old resources not yet deleted: ${remaining.length}, such as ${remaining[0]}`;
}
