import type { Rule } from "../../rule.js";

export const apiAdded: Rule<"document"> = {
  id: "api-added",
  on: "document",
  kind: "added",
  summary:
    "The new set of documents has an API that the old one does not have.",
  verdict: ["info", "info", "info"],
  find: ({ old }) => old === undefined && { text: "the API was added" },
};
