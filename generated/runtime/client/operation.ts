/* eslint-disable */
// biome-ignore-all lint: generated

import type { WaitOptions } from "./call-types.js";
import type { Feature } from "./contract.js";
import { operationRuntime } from "./operation/operation-runtime.js";
import type { OperationRules } from "./operation/rules.js";
import { waitForResult } from "./operation/wait-for-result.js";

export type { OperationCall, WaitOptions } from "./call-types.js";
export type { OperationRules } from "./operation/rules.js";

/**
 * Returns the `Feature` that adds `wait()` to calls that return a long-running
 * operation.
 */
/* @__NO_SIDE_EFFECTS__ */
export function operation(rules: OperationRules): Feature {
  return (call, invocation) => ({
    async wait(options: WaitOptions = {}) {
      const state = await call;
      return waitForResult(state, invocation, rules, options, operationRuntime);
    },
  });
}
