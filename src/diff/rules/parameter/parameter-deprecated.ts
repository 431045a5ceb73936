import type { Rule } from "../../rule.js";

export const parameterDeprecated: Rule<"parameter"> = {
  id: "parameter-deprecated",
  on: "parameter",
  kind: "deprecated",
  summary: "A parameter was deprecated.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.flags.deprecated === undefined &&
    now.flags.deprecated !== undefined && {
      text: "the parameter was deprecated",
      below: "/deprecated",
    },
};
