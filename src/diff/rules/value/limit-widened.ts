import type { Rule } from "../../rule.js";
import { limitChanges } from "../../walk/limits.js";

export const limitWidened: Rule<"value"> = {
  id: "limit-widened",
  on: "value",
  kind: "changed",
  summary: "A limit now allows more values.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "info"],
  },
  find: (pair) => limitChanges(pair, "widened"),
};
