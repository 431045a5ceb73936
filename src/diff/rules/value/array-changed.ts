import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const arrayChanged: Rule<"value"> = {
  id: "array-changed",
  on: "value",
  kind: "changed",
  summary: "A single value became a list, or a list became a single value.",
  verdict: ["breaking", "breaking", "breaking"],
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "array" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
