import { planReport, type PlanFormat } from "../../overrides/report/plan.js";
import type { Command } from "../command.js";
import { buildPlan, planOptions, type PlanValues } from "./upgrade-options.js";

/** Command `upgrade plan`: prints the steps of an upgrade. */
export const upgradePlan: Command = {
  options: [
    ...planOptions,
    {
      name: "format",
      kind: "choice",
      value: "form",
      choices: ["text", "json", "markdown", "shell"],
      default: "text",
      description: "format of the plan",
    },
  ],
  variables: "UPGRADE_",
  help: "\nExit codes:\n  0  printed\n  2  invalid usage, or an upgrade that is not possible",
  run: async (given, { cwd, output }) => {
    const values = given as unknown as PlanValues & { format: PlanFormat };
    output.out(planReport(buildPlan(values, cwd), values.format));
    return 0;
  },
};
