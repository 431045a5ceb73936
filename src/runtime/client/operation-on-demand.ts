import type { WaitOptions } from "./call-types.js";
import type { Feature } from "./contract.js";
import { loadModule } from "./load-module.js";
import { operationRuntime } from "./operation/operation-runtime.js";
import type { OperationRules } from "./operation/rules.js";

/**
 * Feature like `operation`, whose code is loaded by the first `wait()`. Bundlers
 * put it into a separate file, which programs without `wait()` do not load.
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
