import type { Rule } from "../../rule.js";

export const parameterNotRepeated: Rule<"parameter"> = {
  id: "parameter-not-repeated",
  on: "parameter",
  kind: "changed",
  summary: "A parameter no longer accepts several values.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.repeated &&
    !now.repeated && {
      text: "the parameter no longer accepts several values",
      below: "/repeated",
    },
};
