import type { Rule } from "../../rule.js";
import { listed } from "../../words.js";

export const scopesRequired: Rule<"method"> = {
  id: "scopes-required",
  on: "method",
  kind: "changed",
  summary:
    "A method that required no scope now requires one of several scopes.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.scopes.length === 0 &&
    now.scopes.length > 0 && {
      text: `the method now requires one of the scopes ${listed(now.scopes)}`,
      detail: listed(now.scopes),
      below: "/scopes",
    },
};
