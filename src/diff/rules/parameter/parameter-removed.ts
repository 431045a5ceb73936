import type { Rule } from "../../rule.js";

export const parameterRemoved: Rule<"parameter"> = {
  id: "parameter-removed",
  on: "parameter",
  kind: "removed",
  summary: "A parameter was removed.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ new: now }) =>
    now === undefined && { text: "the parameter was removed" },
};
