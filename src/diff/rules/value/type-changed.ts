import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const typeChanged: Rule<"value"> = {
  id: "type-changed",
  on: "value",
  kind: "changed",
  summary:
    "The type of a value changed, such as from integer to string, or from int32 to int64 (a string).",
  verdict: ["breaking", "breaking", "breaking"],
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "type" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
