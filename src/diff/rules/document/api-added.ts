import type { Rule } from "../../rule.js";

export const apiAdded: Rule<"document"> = {
  id: "api-added",
  on: "document",
  kind: "added",
  summary: "An API was added to the set of documents.",
  verdict: ["info", "info", "info"],
  find: ({ old }) => old === undefined && { text: "the API was added" },
};
