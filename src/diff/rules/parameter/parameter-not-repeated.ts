import type { Rule } from "../../rule.js";

export const parameterNotRepeated: Rule<"parameter"> = {
  id: "parameter-not-repeated",
  on: "parameter",
  kind: "changed",
  summary: "A parameter accepts only one value.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.repeated &&
    !now.repeated && {
      text: "the parameter accepts only one value",
      below: "/repeated",
    },
};
