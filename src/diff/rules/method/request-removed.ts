import type { Rule } from "../../rule.js";

export const requestRemoved: Rule<"method"> = {
  id: "request-removed",
  on: "method",
  kind: "removed",
  summary: "The request body of a method was removed.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.request !== undefined &&
    now.request === undefined && {
      text: "the request body was removed",
      below: "/request",
    },
};
