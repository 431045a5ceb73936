import { readFileSync } from "node:fs";

/**
 * Start time of a process as Linux has it, since numbers are used again;
 * `zombie` for one that only waits to be collected, undefined where nothing is
 * known.
 */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "zombie" : fields[19];
  } catch {
    return undefined;
  }
}
