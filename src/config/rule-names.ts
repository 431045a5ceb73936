import type { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";
import { levelProblem } from "../validate/levels.js";

/**
 * Reports names in `validate.rules` that are not rule names. Loads all rules,
 * so this file is imported on demand.
 */
export function checkRuleNames(names: readonly string[], sink: Sink): void {
  for (const name of names) {
    const problem = levelProblem(name, "off");
    const at = `/validate/rules/${escapeToken(name)}`;
    if (problem !== undefined) sink.report("config-value", problem, at);
  }
}
