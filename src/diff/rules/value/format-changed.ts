import type { Rule } from "../../rule.js";
import { formatChange, formatOf } from "../../walk/formats.js";

export const formatChanged: Rule<"value"> = {
  id: "format-changed",
  on: "value",
  kind: "changed",
  summary: "The format of a value changed; the type is unchanged.",
  verdict: {
    request: ["warning", "warning", "info"],
    response: ["warning", "warning", "info"],
  },
  find: (pair) =>
    formatChange(pair) === "changed" && {
      text: `the format changed from ${formatOf(pair.old)} to ${formatOf(pair.new)}`,
      detail: `${formatOf(pair.old)} ${formatOf(pair.new)}`,
      below: "/format",
    },
};
