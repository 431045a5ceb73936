import type { Rule } from "../../rule.js";

export const apiRemoved: Rule<"document"> = {
  id: "api-removed",
  on: "document",
  kind: "removed",
  summary: "An API was removed from the set of documents.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ new: now }) => now === undefined && { text: "the API was removed" },
};
