import { statusReport } from "../../overrides/report/status.js";
import { fingerprintOf } from "../../overrides/upgrade/plan.js";
import { readState, StateError } from "../../overrides/upgrade/state.js";
import { UsageError, type Command } from "../command.js";
import { planOf, planOptions, type PlanValues } from "./upgrade-options.js";
import { stateFileOf, stateOption } from "./upgrade-run.js";

interface Values extends PlanValues {
  readonly state?: string;
  readonly format: "text" | "json";
}

/** Shows how far an upgrade is. */
export const upgradeStatus: Command = {
  options: [
    ...planOptions,
    stateOption,
    {
      name: "format",
      kind: "choice",
      value: "form",
      choices: ["text", "json"],
      default: "text",
      description: "form of the report",
    },
  ],
  variables: "UPGRADE_",
  help: "\nExit codes:\n  0  all steps are done\n  1  steps are left\n  2  bad usage",
  run: async (given, { cwd, output }) => {
    const values = given as unknown as Values;
    const plan = planOf(values, cwd);
    const state = stateOf(stateFileOf(values, cwd));
    if (state !== undefined && state.fingerprint !== fingerprintOf(plan))
      throw new UsageError("the state belongs to another upgrade");
    output.out(statusReport(plan, state, values.format));
    const isDone = plan.steps.every(({ id }) => {
      const status = state?.steps[id]?.status;
      return status === "done" || status === "skipped";
    });
    return isDone ? 0 : 1;
  },
};

function stateOf(file: string): ReturnType<typeof readState> {
  try {
    return readState(file);
  } catch (error) {
    if (error instanceof StateError) throw new UsageError(error.message);
    throw error;
  }
}
