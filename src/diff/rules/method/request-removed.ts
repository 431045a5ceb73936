import type { Rule } from "../../rule.js";

export const requestRemoved: Rule<"method"> = {
  id: "request-removed",
  on: "method",
  kind: "removed",
  summary: "A method has no request body any more.",
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
