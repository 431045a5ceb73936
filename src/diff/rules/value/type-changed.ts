import type { Rule } from "../../rule.js";
import { changeOf, typeWords } from "../../walk/value-types.js";

export const typeChanged: Rule<"value"> = {
  id: "type-changed",
  on: "value",
  kind: "changed",
  summary:
    "A value has another type, such as string instead of integer, or int64 (a string) instead of int32.",
  verdict: ["breaking", "breaking", "breaking"],
  find: (pair, documents) =>
    changeOf(pair, documents) === "type" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
