import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const enumAdded: Rule<"value"> = {
  id: "enum-added",
  on: "value",
  kind: "changed",
  summary: "A string is now limited to the values of an enum.",
  verdict: {
    request: ["breaking", "info", "info"],
    response: ["info", "breaking", "info"],
  },
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "enum" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
