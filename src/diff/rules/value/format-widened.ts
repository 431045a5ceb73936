import type { Rule } from "../../rule.js";
import { formatChange, formatOf } from "../../walk/formats.js";

export const formatWidened: Rule<"value"> = {
  id: "format-widened",
  on: "value",
  kind: "changed",
  summary: "The format of an integer changed to one with a larger range.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "info"],
  },
  find: (pair) =>
    formatChange(pair) === "widened" && {
      text: `the format changed from ${formatOf(pair.old)} to ${formatOf(pair.new)}`,
      detail: `${formatOf(pair.old)} ${formatOf(pair.new)}`,
      below: "/format",
    },
};
