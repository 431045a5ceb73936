import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const typeNarrowed: Rule<"value"> = {
  id: "type-narrowed",
  on: "value",
  kind: "changed",
  summary: "A value of any type now has a fixed type.",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "warning"],
  },
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "narrowed" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
