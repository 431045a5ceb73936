import type { Check, CheckContext, CheckResult } from "./check.js";
import { configCheck } from "./config-check.js";
import { documentsCheck } from "./documents-check.js";
import { formatterCheck, templatesCheck } from "./extensions-check.js";
import { lockCheck } from "./lock-check.js";
import { nodeCheck } from "./node-check.js";
import { outputCheck } from "./output-check.js";
import { permissionsCheck } from "./permissions-check.js";
import { proxyCheck } from "./proxy-check.js";
import { runtimeCheck } from "./runtime-check.js";
import { typescriptCheck } from "./typescript-check.js";

/** Checks of `gen doctor`, in the order of its output. */
const CHECKS: readonly Check[] = [
  nodeCheck,
  configCheck,
  lockCheck,
  documentsCheck,
  outputCheck,
  templatesCheck,
  formatterCheck,
  runtimeCheck,
  typescriptCheck,
  proxyCheck,
  permissionsCheck,
];

/** Result of a check, with the name of the check. */
export interface NamedResult extends CheckResult {
  readonly check: string;
}

/** Runs all checks of `gen doctor`. */
export async function runChecks(
  context: CheckContext,
): Promise<readonly NamedResult[]> {
  const results: NamedResult[] = [];
  for (const { name, run } of CHECKS)
    for (const result of await run(context))
      results.push({ check: name, ...result });
  return results;
}
