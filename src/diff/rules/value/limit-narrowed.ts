import type { Rule } from "../../rule.js";
import { limitChanges } from "../../walk/limits.js";

export const limitNarrowed: Rule<"value"> = {
  id: "limit-narrowed",
  on: "value",
  kind: "changed",
  summary:
    "A minimum, maximum or other limit now excludes values that were allowed.",
  verdict: {
    request: ["breaking", "info", "info"],
    response: ["info", "warning", "info"],
  },
  find: (pair) => limitChanges(pair, "narrowed"),
};
