import { clientTarget } from "./client/index.js";
import type { Target } from "./target.js";
import { validatorTarget } from "./validator/index.js";

/** All targets, in the order in which they print. */
export const targets: readonly Target[] = [clientTarget, validatorTarget];
