import type { UpgradePlan } from "./plan.js";
import type { RunOptions } from "./run-options.js";
import type { UpgradeState } from "./upgrade-state.js";
import type { Step } from "./step.js";

/** Tests whether a step was completed or skipped. */
export function isCompleted({ steps }: UpgradeState, id: string): boolean {
  const status = steps[id]?.status;
  return status === "done" || status === "skipped";
}

/** Returns the steps to run, in plan order. */
export function selectedSteps(
  { steps }: UpgradePlan,
  { only, fromStep }: RunOptions,
): readonly Step[] {
  if (only !== undefined) return steps.filter(({ id }) => only.includes(id));
  const start = steps.findIndex(({ id }) => id === fromStep);
  return steps.slice(Math.max(0, start));
}

/** Returns the ids of earlier steps that are required but not completed. */
export function incompleteStepsBefore(
  { steps }: UpgradePlan,
  state: UpgradeState,
  step: Step,
): string[] {
  return steps
    .slice(0, steps.indexOf(step))
    .filter(({ id, isOptional }) => !isOptional && !isCompleted(state, id))
    .map(({ id }) => id);
}
