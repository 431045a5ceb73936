import type { Rule } from "../../rule.js";

export const methodAdded: Rule<"method"> = {
  id: "method-added",
  on: "method",
  kind: "added",
  summary: "A method was added.",
  reason: "Servers respond with 501 until a handler exists.",
  verdict: ["info", "warning", "info"],
  find: ({ old }) => old === undefined && { text: "the method was added" },
};
