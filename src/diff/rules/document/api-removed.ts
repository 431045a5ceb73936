import type { Rule } from "../../rule.js";

export const apiRemoved: Rule<"document"> = {
  id: "api-removed",
  on: "document",
  kind: "removed",
  summary: "A set of documents has an API less.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ new: now }) => now === undefined && { text: "the API was removed" },
};
