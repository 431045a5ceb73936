import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const batchPathChanged: Rule<"api"> = {
  id: "batch-path-changed",
  on: "api",
  kind: "changed",
  summary: "The path of batch requests changed.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old.batchPath !== undefined &&
    now.batchPath !== undefined &&
    old.batchPath !== now.batchPath && {
      text: `batchPath changed from ${quoted(old.batchPath)} to ${quoted(now.batchPath)}`,
      detail: now.batchPath,
      below: "/batchPath",
    },
};
