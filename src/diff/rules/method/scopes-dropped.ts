import type { Rule } from "../../rule.js";

export const scopesDropped: Rule<"method"> = {
  id: "scopes-dropped",
  on: "method",
  kind: "changed",
  summary: "A method has no scopes any more.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.scopes.length > 0 &&
    now.scopes.length === 0 && {
      text: "the method lists no scopes",
      below: "/scopes",
    },
};
