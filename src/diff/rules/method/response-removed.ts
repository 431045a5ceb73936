import type { Rule } from "../../rule.js";

export const responseRemoved: Rule<"method"> = {
  id: "response-removed",
  on: "method",
  kind: "removed",
  summary: "A method has no response body any more.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.response !== undefined &&
    now.response === undefined && {
      text: "the response body was removed",
      below: "/response",
    },
};
