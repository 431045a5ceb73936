import type { Rule } from "../../rule.js";

export const apiAdded: Rule<"document"> = {
  id: "api-added",
  on: "document",
  kind: "added",
  summary: "A set of documents has another API.",
  verdict: ["info", "info", "info"],
  find: ({ old }) => old === undefined && { text: "the API was added" },
};
