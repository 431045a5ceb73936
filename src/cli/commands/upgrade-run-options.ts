import type { OptionRow } from "../../generate/options.js";

/** Option for the state file, used by `upgrade run` and `upgrade status`. */
export const stateOption: OptionRow = {
  name: "state",
  kind: "text",
  value: "file",
  description:
    "state file of the upgrade (default: name of the overrides file with the suffix .upgrade.json)",
};

/** Option to accept a state file that is not signed with this user's key. */
export const adoptOption: OptionRow = {
  name: "adoptState",
  kind: "switch",
  description:
    "accept a state file that was edited, or written by another user or machine",
};

/** Additional options of `upgrade run`. */
export const runOptions: readonly OptionRow[] = [
  stateOption,
  adoptOption,
  {
    name: "yes",
    kind: "switch",
    description:
      "confirm all prompts: destructive steps run, and manual steps count as done",
  },
  {
    name: "force",
    kind: "switch",
    description:
      "run destructive steps even if earlier steps are not done, and list these earlier steps",
  },
  {
    name: "acceptChanges",
    kind: "switch",
    description:
      "accept a tool, tool folder, old overrides file or kubectl context that differs from the one in earlier runs",
  },
  {
    name: "only",
    kind: "list",
    isSingle: true,
    value: "step",
    description:
      "run only this step, even if the step is already done; repeatable",
  },
  {
    name: "fromStep",
    kind: "text",
    value: "step",
    description: "run this step and all steps after it",
  },
  {
    name: "done",
    kind: "list",
    isSingle: true,
    value: "step",
    description: "mark this step as done manually; repeatable",
  },
  {
    name: "deadline",
    kind: "text",
    value: "seconds",
    default: "1800",
    description:
      "timeout in seconds for each command, and for each check including its retries",
  },
  {
    name: "interval",
    kind: "text",
    value: "seconds",
    default: "10",
    description: "time in seconds between retries of a check",
  },
  {
    name: "api",
    kind: "text",
    value: "url",
    description:
      "base URL of the control plane, to which a gcloud access token is sent (default: contractProvider if its host is known, otherwise the vendor's URL)",
  },
];
