import type { Rule } from "../../rule.js";

export const scopesDropped: Rule<"method"> = {
  id: "scopes-dropped",
  on: "method",
  kind: "changed",
  summary: "A method no longer lists scopes.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.scopes.length > 0 &&
    now.scopes.length === 0 && {
      text: "the method no longer lists scopes",
      below: "/scopes",
    },
};
