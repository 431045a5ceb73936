import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const integerNarrowed: Rule<"value"> = {
  id: "integer-narrowed",
  on: "value",
  kind: "changed",
  summary: "A number became an integer.",
  verdict: {
    request: ["breaking", "info", "info"],
    response: ["info", "warning", "info"],
  },
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "integer" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
