import type { Rule } from "../../rule.js";

export const methodDeprecated: Rule<"method"> = {
  id: "method-deprecated",
  on: "method",
  kind: "deprecated",
  summary: "A method was deprecated.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.deprecated !== true &&
    now.deprecated === true && {
      text: "the method was deprecated",
      below: "/deprecated",
    },
};
