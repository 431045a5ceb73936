import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const schemaRenamed: Rule<"schema"> = {
  id: "schema-renamed",
  on: "schema",
  kind: "changed",
  summary:
    "The id of a schema changed, or an inline schema became a named schema.",
  reason:
    "Ids of schemas are not part of requests and responses, but code imports the generated types by name.",
  verdict: ["info", "info", "breaking"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    old.id !== now.id &&
    !documents.new.definitions.has(old.id) && {
      text: `the schema was renamed to ${quoted(now.id)}`,
      detail: now.id,
    },
};
