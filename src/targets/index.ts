import { clientTarget } from "./client/index.js";
import type { Target } from "./target.js";

/** All targets, in the order in which they print. */
export const targets: readonly Target[] = [clientTarget];
