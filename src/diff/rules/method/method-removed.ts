import type { Rule } from "../../rule.js";

export const methodRemoved: Rule<"method"> = {
  id: "method-removed",
  on: "method",
  kind: "removed",
  summary: "A method was removed.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ new: now }) =>
    now === undefined && { text: "the method was removed" },
};
