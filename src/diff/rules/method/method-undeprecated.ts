import type { Rule } from "../../rule.js";

export const methodUndeprecated: Rule<"method"> = {
  id: "method-undeprecated",
  on: "method",
  kind: "changed",
  summary: "The deprecation of a method was removed.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.deprecated === true &&
    now.deprecated !== true && { text: "the method is no longer deprecated" },
};
