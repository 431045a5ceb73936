import type { Rule } from "../../rule.js";
import { formatChange, formatOf } from "../../walk/formats.js";

export const doubleRemoved: Rule<"value"> = {
  id: "double-removed",
  on: "value",
  kind: "changed",
  summary: "A number of a body has no format any more.",
  verdict: {
    request: ["warning", "info", "warning"],
    response: ["info", "warning", "info"],
  },
  find: (pair) =>
    formatChange(pair) === "plain" && {
      text: `the format changed from ${formatOf(pair.old)} to ${formatOf(pair.new)}`,
      detail: `${formatOf(pair.old)} ${formatOf(pair.new)}`,
      below: "/format",
    },
};
