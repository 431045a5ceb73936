import { cleanUpSteps } from "./clean-up.js";
import { meshSteps } from "./mesh.js";
import type { PlanOptions } from "./plan-options.js";
import { preparationSteps } from "./preparation.js";
import { runtimeSteps } from "./runtime.js";
import type { Step } from "./step.js";
import { checkPlanOptions } from "./check-plan-options.js";

/** Steps of an upgrade, in order. */
export interface UpgradePlan {
  readonly options: PlanOptions;
  readonly steps: readonly Step[];
}

/**
 * Plans an upgrade. Throws PlanError for values that are not valid in commands.
 */
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
 * Returns the identity of a plan. It excludes the text of the overrides file,
 * which changes during the upgrade.
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
