import type { Rule } from "../../rule.js";

export const parameterUndeprecated: Rule<"parameter"> = {
  id: "parameter-undeprecated",
  on: "parameter",
  kind: "changed",
  summary: "The deprecation of a parameter was removed.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.flags.deprecated !== undefined &&
    now.flags.deprecated === undefined && {
      text: "the parameter is no longer deprecated",
    },
};
