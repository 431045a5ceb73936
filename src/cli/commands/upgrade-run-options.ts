import type { OptionRow } from "../../generate/options.js";

/** State file, for run and status. */
export const stateOption: OptionRow = {
  name: "state",
  kind: "text",
  value: "file",
  description:
    "state file of the upgrade (default: the overrides file with .upgrade.json)",
};

/** Accepts a state that this user's runs did not write. */
export const adoptOption: OptionRow = {
  name: "adoptState",
  kind: "switch",
  description:
    "accept a state file that another user or machine wrote, or that was edited",
};

/** Options of `upgrade run` besides those of the plan. */
export const runOptions: readonly OptionRow[] = [
  stateOption,
  adoptOption,
  {
    name: "yes",
    kind: "switch",
    description:
      "answer every question with yes: destructive steps are run, steps by hand count as done",
  },
  {
    name: "force",
    kind: "switch",
    description:
      "run destructive steps although steps before them are not done; the output names those",
  },
  {
    name: "acceptChanges",
    kind: "switch",
    description:
      "accept that the tool, its folder, the old overrides file or the kubectl context differs from earlier runs",
  },
  {
    name: "only",
    kind: "list",
    isSingle: true,
    value: "step",
    description: "run this step, even if it was done; repeatable",
  },
  {
    name: "fromStep",
    kind: "text",
    value: "step",
    description: "run the steps from this one on",
  },
  {
    name: "done",
    kind: "list",
    isSingle: true,
    value: "step",
    description: "this step was done by hand; repeatable",
  },
  {
    name: "deadline",
    kind: "text",
    value: "seconds",
    default: "1800",
    description: "time limit of a command, and of a check",
  },
  {
    name: "interval",
    kind: "text",
    value: "seconds",
    default: "10",
    description: "time between two tries of a check",
  },
  {
    name: "api",
    kind: "text",
    value: "url",
    description:
      "base URL of the control plane, which gets an access token of gcloud (default: contractProvider if its host is known, or the vendor's)",
  },
];
