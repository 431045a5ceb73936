import { visible, visibleJson } from "../../cli/reporters/output.js";
import type { Plan } from "../upgrade/plan.js";
import type { UpgradeState } from "../upgrade/state.js";

/** How far an upgrade is. */
export function statusReport(
  { steps }: Plan,
  state: UpgradeState | undefined,
  form: "text" | "json",
): string {
  const rows = steps.map(({ id, title }) => ({
    id,
    title,
    status: state?.steps[id]?.status ?? "to do",
    ...(state?.steps[id]?.reason === undefined
      ? {}
      : { reason: state.steps[id].reason }),
  }));
  const next = rows.find(
    ({ status }) => status !== "done" && status !== "skipped",
  );
  if (form === "json")
    return `${visibleJson({ steps: rows, ...(next === undefined ? {} : { next: next.id }) })}\n`;
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = rows.map(
    ({ id, title, status, reason }) =>
      `${status.padEnd(8)} ${id.padEnd(width)}  ${title}${reason === undefined ? "" : `: ${reason}`}`,
  );
  lines.push(next === undefined ? "all steps are done" : `next: ${next.id}`);
  return `${lines.map(visible).join("\n")}\n`;
}
