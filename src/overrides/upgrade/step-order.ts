import type { Plan } from "./plan.js";
import type { RunOptions } from "./run-options.js";
import type { UpgradeState } from "./state.js";
import type { Step } from "./step.js";

/** Whether a step needs no further run. */
export function isOver({ steps }: UpgradeState, id: string): boolean {
  const status = steps[id]?.status;
  return status === "done" || status === "skipped";
}

/** Steps that a run was asked for, in the order of the plan. */
export function selectedSteps(
  { steps }: Plan,
  { only, fromStep }: RunOptions,
): readonly Step[] {
  if (only !== undefined) return steps.filter(({ id }) => only.includes(id));
  const start = steps.findIndex(({ id }) => id === fromStep);
  return steps.slice(Math.max(0, start));
}

/** Steps before a step that are neither over nor optional. */
export function missingBefore(
  { steps }: Plan,
  state: UpgradeState,
  step: Step,
): string[] {
  return steps
    .slice(0, steps.indexOf(step))
    .filter(({ id, isOptional }) => !isOptional && !isOver(state, id))
    .map(({ id }) => id);
}
