import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { renamedVariables } from "../../walk/paths.js";

export const pathParameterRenamed: Rule<"method"> = {
  id: "path-parameter-renamed",
  on: "method",
  kind: "changed",
  summary: "A path parameter was renamed; the URL is unchanged.",
  reason:
    "The name of a path parameter is not part of the URL, but callers and handlers use it.",
  verdict: ["info", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    [...renamedVariables(old, now)].map(([before, after]) => ({
      text: `the path parameter ${quoted(before)} was renamed to ${quoted(after)}`,
      detail: `${before} ${after}`,
      below: "/path",
    })),
};
