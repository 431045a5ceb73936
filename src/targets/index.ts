import { clientTarget } from "./client/index.js";
import { conformanceTarget } from "./conformance/index.js";
import { serverTarget } from "./server/index.js";
import type { Target } from "./target.js";
import { validatorTarget } from "./validator/index.js";

/** All targets, in the order in which they print. */
export const targets: readonly Target[] = [
  clientTarget,
  validatorTarget,
  serverTarget,
  conformanceTarget,
];

/** The targets of the given names, and those that they need. */
export function targetsOf(names: readonly string[]): Target[] {
  const wanted = new Set(names);
  for (const { name, implies = [] } of targets)
    if (wanted.has(name)) for (const implied of implies) wanted.add(implied);
  return targets.filter(({ name }) => wanted.has(name));
}
