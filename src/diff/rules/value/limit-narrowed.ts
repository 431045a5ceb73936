import type { Rule } from "../../rule.js";
import { limitChanges } from "../../walk/limits.js";

export const limitNarrowed: Rule<"value"> = {
  id: "limit-narrowed",
  on: "value",
  kind: "changed",
  summary:
    "A limit now excludes values that were allowed: minimum, maximum, or a limit of length.",
  verdict: {
    request: ["breaking", "info", "info"],
    response: ["info", "warning", "info"],
  },
  find: (pair) => limitChanges(pair, "narrowed"),
};
