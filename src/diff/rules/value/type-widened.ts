import type { Rule } from "../../rule.js";
import { typeChangeOf, typeWords } from "../../walk/value-types.js";

export const typeWidened: Rule<"value"> = {
  id: "type-widened",
  on: "value",
  kind: "changed",
  summary: "A value of a fixed type can now be of any type.",
  verdict: {
    request: ["info", "breaking", "info"],
    response: ["breaking", "info", "breaking"],
  },
  find: (pair, documents) =>
    typeChangeOf(pair, documents) === "widened" && {
      text: `the type changed from ${typeWords(pair.old.schema, documents.old.definitions)} to ${typeWords(pair.new.schema, documents.new.definitions)}`,
      detail: `${typeWords(pair.old.schema, documents.old.definitions)} ${typeWords(pair.new.schema, documents.new.definitions)}`,
    },
};
