import { visibleJson } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import type { UpgradePlan } from "../upgrade/plan.js";
import {
  isAlive,
  type StepState,
  type UpgradeState,
} from "../upgrade/state-file.js";

interface StatusOptions {
  readonly form: "text" | "json";
  /** True if a process is running this upgrade. */
  readonly isRunning: boolean;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/** Formats the progress of each upgrade step. */
export function statusReport(
  { steps }: UpgradePlan,
  state: UpgradeState | undefined,
  { form, isRunning }: StatusOptions,
): string {
  const rows = steps.map(({ id, title }) => ({
    id,
    title,
    ...progressOf(state?.steps[id], isRunning),
  }));
  const next = rows.find(
    ({ status }) => status !== "done" && status !== "skipped",
  );
  if (form === "json")
    return `${visibleJson({ steps: rows, ...(next === undefined ? {} : { next: next.id }) })}\n`;
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = rows.map((row) => rowText(row, width));
  lines.push(next === undefined ? "all steps are done" : `next: ${next.id}`);
  return `${lines.map(visible).join("\n")}\n`;
}

/**
 * Returns the progress of a step. If no process is running the upgrade, a step
 * in the state `running` counts as stopped, because a killed process could not
 * update the state.
 */
function progressOf(
  step: StepState | undefined,
  isRunning: boolean,
): Omit<Row, "id" | "title"> {
  if (step === undefined) return { status: "to do" };
  const { status, startedAt, endedAt, reason, child } = step;
  const isStopped = status === "running" && !isRunning;
  const orphan =
    isStopped && child !== undefined && isAlive(child)
      ? `process ${child.pid} of the stopped run is still running`
      : undefined;
  const text = reason ?? orphan;
  return {
    status: isStopped ? "stopped" : status,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(text === undefined ? {} : { reason: text }),
  };
}

function rowText(row: Row, width: number): string {
  const { id, title, status, reason } = row;
  const end = reason === undefined ? "" : `: ${reason}`;
  const times = timesOf(row);
  return `${status.padEnd(8)} ${id.padEnd(width)}  ${title}${times === "" ? "" : ` (${times})`}${end}`;
}

/** Returns the start time of a step in UTC and its duration. */
function timesOf({ startedAt, endedAt }: Row): string {
  if (startedAt === undefined) return "";
  const start = `${startedAt.slice(0, 19).replace("T", " ")} UTC`;
  if (endedAt === undefined) return `since ${start}`;
  const seconds = Math.round(
    (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
  );
  return `${start}, ${seconds} s`;
}
