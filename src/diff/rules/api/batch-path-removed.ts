import type { Rule } from "../../rule.js";

export const batchPathRemoved: Rule<"api"> = {
  id: "batch-path-removed",
  on: "api",
  kind: "removed",
  summary: "The API no longer accepts batch requests.",
  reason: "The output no longer contains `client.batch()`.",
  verdict: ["breaking", "info", "breaking"],
  find: ({ old, new: now }) =>
    old.batchPath !== undefined &&
    now.batchPath === undefined && {
      text: "batchPath was removed",
      below: "/batchPath",
    },
};
