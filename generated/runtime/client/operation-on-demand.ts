/* eslint-disable */
// biome-ignore-all lint: generated

import type { WaitOptions } from "./call-types.js";
import type { Feature } from "./contract.js";
import { loadModule } from "./load-module.js";
import { operationRuntime } from "./operation/operation-runtime.js";
import type { OperationRules } from "./operation/rules.js";

/**
 * Returns the same `Feature` as `operation`, but loads its code at the first
 * call of `wait()`. Bundlers put this code into a separate file, which programs
 * that never call `wait()` do not load.
 */
/* @__NO_SIDE_EFFECTS__ */
export function operationOnDemand(rules: OperationRules): Feature {
  return (call, invocation) => ({
    async wait(options: WaitOptions = {}) {
      const state = await call;
      const operation = import("./operation/wait-for-result.js");
      const { id } = invocation.descriptor;
      const { waitForResult } = await loadModule(operation, id);
      return waitForResult(state, invocation, rules, options, operationRuntime);
    },
  });
}
