import type { Rule } from "../../rule.js";
import { formatChange, formatOf } from "../../walk/formats.js";

export const doubleAdded: Rule<"value"> = {
  id: "double-added",
  on: "value",
  kind: "changed",
  summary:
    "A format was added to a number in a body, so the generated type now includes NaN and infinities, which are represented as strings.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "breaking"],
  },
  find: (pair) =>
    formatChange(pair) === "double" && {
      text: `the format changed from ${formatOf(pair.old)} to ${formatOf(pair.new)}`,
      detail: `${formatOf(pair.old)} ${formatOf(pair.new)}`,
      below: "/format",
    },
};
