import type { Rule } from "../../rule.js";

export const apiRemoved: Rule<"document"> = {
  id: "api-removed",
  on: "document",
  kind: "removed",
  summary: "The new set of documents does not have an API of the old one.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ new: now }) => now === undefined && { text: "the API was removed" },
};
