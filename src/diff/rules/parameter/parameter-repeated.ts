import type { Rule } from "../../rule.js";

export const parameterRepeated: Rule<"parameter"> = {
  id: "parameter-repeated",
  on: "parameter",
  kind: "changed",
  summary: "A parameter now accepts several values.",
  reason:
    "A single value is encoded as before, but the generated type is a list.",
  verdict: ["info", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    !old.repeated &&
    now.repeated && {
      text: "the parameter now accepts several values",
      below: "/repeated",
    },
};
