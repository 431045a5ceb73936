import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const enumRemoved: Rule<"value"> = {
  id: "enum-removed",
  on: "value",
  kind: "changed",
  summary: "An enum became a string.",
  reason: "The output no longer contains the type of the enum.",
  verdict: {
    request: ["info", "warning", "breaking"],
    response: ["warning", "info", "breaking"],
  },
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "string" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
