import { statusReport } from "../../overrides/report/status.js";
import { fingerprintOf, planDifference } from "../../overrides/upgrade/plan.js";
import {
  readState,
  StateError,
  type StateAccess,
} from "../../overrides/upgrade/state-file.js";
import { lockHolder } from "../../platform/lock.js";
import { UsageError, type Command } from "../command.js";
import { visible } from "../../diagnostics/invisible.js";
import { buildPlan, planOptions, type PlanValues } from "./upgrade-options.js";
import {
  STATE_LOCK,
  stateAccess,
  stateFilePath,
  stateLock,
} from "./upgrade-run.js";
import { adoptOption, stateOption } from "./upgrade-run-options.js";

interface Values extends PlanValues {
  readonly state?: string;
  readonly adoptState?: boolean;
  readonly format: "text" | "json";
}

/** Command `upgrade status`: prints the progress of an upgrade. */
export const upgradeStatus: Command = {
  options: [
    ...planOptions,
    stateOption,
    adoptOption,
    {
      name: "format",
      kind: "choice",
      value: "form",
      choices: ["text", "json"],
      default: "text",
      description: "format of the report",
    },
  ],
  variables: "UPGRADE_",
  help: "\nExit codes:\n  0  all steps are done\n  1  steps remain\n  2  invalid usage",
  run: async (given, { cwd, output }) => {
    const values = given as unknown as Values;
    const plan = buildPlan(values, cwd);
    const file = stateFilePath(values, cwd);
    const state = stateOf(file, stateAccess(values));
    const difference =
      state && planDifference(state, plan, fingerprintOf(plan));
    if (difference !== undefined)
      throw new UsageError(
        `${file} was created for a different upgrade: ${visible(difference)}; pass a different file as --state`,
      );
    const isRunning = lockHolder(stateLock(file), STATE_LOCK) !== undefined;
    output.out(statusReport(plan, state, { form: values.format, isRunning }));
    const isDone = plan.steps.every(({ id }) => {
      const status = state?.steps[id]?.status;
      return status === "done" || status === "skipped";
    });
    return isDone ? 0 : 1;
  },
};

function stateOf(
  file: string,
  access: StateAccess,
): ReturnType<typeof readState> {
  try {
    return readState(file, access);
  } catch (error) {
    if (error instanceof StateError) throw new UsageError(error.message);
    throw error;
  }
}
