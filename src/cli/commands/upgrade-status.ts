import { statusReport } from "../../overrides/report/status.js";
import {
  fingerprintOf,
  planDifference,
  recordedOptions,
} from "../../overrides/upgrade/plan.js";
import {
  readState,
  StateError,
  type StateAccess,
  type UpgradeState,
} from "../../overrides/upgrade/state-file.js";
import { lockHolder } from "../../platform/lock.js";
import type { OptionRow } from "../../generate/options.js";
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

interface Values extends Omit<PlanValues, "from" | "to" | "mode"> {
  readonly from?: string;
  readonly to?: string;
  readonly mode?: PlanValues["mode"];
  readonly state?: string;
  readonly adoptState?: boolean;
  readonly format: "text" | "json";
}

/** Options whose default is the value that the state file records. */
const RECORDED: ReadonlySet<string> = new Set(["from", "to", "mode"]);

const statusPlanOptions = planOptions.map((option): OptionRow => {
  if (!RECORDED.has(option.name)) return option;
  const { required: _, default: __, description, ...rest } = option;
  const text = `${description} (default: the value in the state file)`;
  return { ...rest, description: text };
});

/** Command `upgrade status`: prints the progress of an upgrade. */
export const upgradeStatus: Command = {
  options: [
    ...statusPlanOptions,
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
    const file = stateFilePath(values, cwd);
    const state = stateOf(file, stateAccess(values));
    const plan = buildPlan(planValues(values, state, file), cwd);
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

/** Completes the options of the plan with those that the state records. */
function planValues(
  values: Values,
  state: UpgradeState | undefined,
  file: string,
): PlanValues {
  const recorded = state === undefined ? {} : recordedOptions(state);
  const from = values.from ?? recorded.from;
  if (from === undefined)
    throw new UsageError(
      `--from must be the installed version, such as --from 1.2.0, because ${file} does not exist`,
    );
  const { to = recorded.to, mode = recorded.mode } = values;
  return { ...values, from, to: to ?? "1.3.6", mode: mode ?? "prod" };
}

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
