import type { Rule } from "../../rule.js";

export const requestAdded: Rule<"method"> = {
  id: "request-added",
  on: "method",
  kind: "added",
  summary: "A request body was added to a method.",
  reason:
    "The server may require the body. The rule `body-member-required` reports required members.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now?.request !== undefined &&
    old.request === undefined && {
      text: "a request body was added",
      below: "/request",
    },
};
