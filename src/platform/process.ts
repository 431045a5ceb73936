import { readFileSync } from "node:fs";

/**
 * Process id and start time of a process. The start time is needed because the
 * system reuses ids.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time from `/proc`; empty on systems without `/proc`. */
  readonly started: string;
}

/** Returns the ID and the start time of a running process. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, started: statusOf(pid)?.started ?? "" };
}

/**
 * Tests whether a process is still running. Returns `unknown` if a process with
 * this id exists but its start time can't be compared.
 */
export function processState({
  pid,
  started,
}: ProcessIdentity): "running" | "ended" | "unknown" {
  if (!hasProcess(pid)) return "ended";
  const status = statusOf(pid);
  if (status?.isZombie === true) return "ended";
  if (started === "" || status === undefined) return "unknown";
  return status.started === started ? "running" : "ended";
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Reads the state and start time of a process (fields 3 and 22 of
 * proc_pid_stat(5)).
 */
function statusOf(
  pid: number,
): { readonly isZombie: boolean; readonly started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { isZombie: fields[0] === "Z", started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
