import { cleanUpSteps } from "./clean-up.js";
import { meshSteps } from "./mesh.js";
import type { PlanOptions } from "./plan-options.js";
import { preparationSteps } from "./preparation.js";
import { runtimeSteps } from "./runtime.js";
import type { Step } from "./step.js";
import { checkPlanOptions } from "./check-plan-options.js";

/** Upgrade plan with its steps in order. */
export interface UpgradePlan {
  readonly options: PlanOptions;
  readonly steps: readonly Step[];
}

/** Plans an upgrade. Throws PlanError if an option is not valid. */
export function planUpgrade(options: PlanOptions): UpgradePlan {
  checkPlanOptions(options);
  const steps = [
    ...preparationSteps(options),
    ...meshSteps(options),
    ...runtimeSteps(options),
    ...cleanUpSteps(options),
  ];
  return { options, steps };
}

/**
 * Returns a string that identifies a plan. It does not depend on the content of
 * the overrides file, because the upgrade changes that file.
 */
export function fingerprintOf({ options, steps }: UpgradePlan): string {
  const { from, to, mode, settings } = options;
  return JSON.stringify([
    from,
    to,
    mode,
    settings.org,
    settings.project,
    settings.namespace,
    steps.map(({ id }) => id),
  ]);
}
