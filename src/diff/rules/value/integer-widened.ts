import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const integerWidened: Rule<"value"> = {
  id: "integer-widened",
  on: "value",
  kind: "changed",
  summary: "An integer became a number.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["breaking", "info", "warning"],
  },
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "number" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
