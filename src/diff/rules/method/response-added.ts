import type { Rule } from "../../rule.js";

export const responseAdded: Rule<"method"> = {
  id: "response-added",
  on: "method",
  kind: "added",
  summary: "A response body was added to a method.",
  reason: "Handlers must return a value.",
  verdict: ["info", "breaking", "warning"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now?.response !== undefined &&
    old.response === undefined && {
      text: "a response body was added",
      below: "/response",
    },
};
