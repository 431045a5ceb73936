import type { Rule } from "../../rule.js";
import { formatChange, formatOf } from "../../walk/formats.js";

export const formatNarrowed: Rule<"value"> = {
  id: "format-narrowed",
  on: "value",
  kind: "changed",
  summary: "The format of an integer changed to one with a smaller range.",
  verdict: {
    request: ["breaking", "info", "info"],
    response: ["info", "warning", "info"],
  },
  find: (pair) =>
    formatChange(pair) === "narrowed" && {
      text: `the format changed from ${formatOf(pair.old)} to ${formatOf(pair.new)}`,
      detail: `${formatOf(pair.old)} ${formatOf(pair.new)}`,
      below: "/format",
    },
};
