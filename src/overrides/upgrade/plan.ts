import { cleanUp } from "./clean-up.js";
import { mesh } from "./mesh.js";
import type { PlanOptions } from "./plan-options.js";
import { preparation } from "./preparation.js";
import { runtime } from "./runtime.js";
import type { Step } from "./step.js";
import { refuseValues } from "./check-plan-options.js";

/** An upgrade, step by step, in order. */
export interface Plan {
  readonly options: PlanOptions;
  readonly steps: readonly Step[];
}

/** Plans an upgrade. Throws PlanError for values that no command can take. */
export function planUpgrade(options: PlanOptions): Plan {
  refuseValues(options);
  const steps = [
    ...preparation(options),
    ...mesh(options),
    ...runtime(options),
    ...cleanUp(options),
  ];
  return { options, steps };
}

/** What makes two plans the same upgrade: not the text of the file, which the upgrade changes. */
export function fingerprintOf({ options, steps }: Plan): string {
  const { from, to, mode, facts } = options;
  return JSON.stringify([
    from,
    to,
    mode,
    facts.org,
    facts.project,
    facts.namespace,
    steps.map(({ id }) => id),
  ]);
}
