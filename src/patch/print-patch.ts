import { Document, isScalar, visit } from "yaml";
import { printJson } from "../diagnostics/json.js";
import type { NewOperation } from "./patch-file.js";

/** Content of a new patch file. */
export interface NewPatch {
  readonly api: string;
  readonly revision?: string | undefined;
  readonly operations: readonly NewOperation[];
}

/** First lines of a patch file in YAML: the JSON Schema for editors. */
const HEADER =
  " yaml-language-server: $schema=https://unpkg.com/discovery-codegen/schemas/patch.schema.json";

/** Maximum length of a text on one line. */
const MAX_LINE = 60;

/** Prints a patch file as YAML, or as JSON. Long texts are folded. */
export function printPatch(patch: NewPatch, format: "yaml" | "json"): string {
  const { api, revision, operations } = patch;
  const content = {
    api,
    ...(revision === undefined ? {} : { revision }),
    operations: operations.map(({ kind, at, ...rest }) => ({
      [kind]: at,
      ...rest,
    })),
  };
  if (format === "json") return `${printJson(content)}\n`;
  const document = new Document(content);
  document.commentBefore = HEADER;
  visit(document, {
    Scalar: (_, node) => {
      const isFolded =
        isScalar(node) &&
        typeof node.value === "string" &&
        node.value.length > MAX_LINE &&
        node.value.includes(" ") &&
        /^\S.*\S$/su.test(node.value) &&
        !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff\u2028\u2029]/.test(
          node.value,
        );
      if (isFolded) node.type = "BLOCK_FOLDED";
    },
  });
  return document.toString({ lineWidth: 80 });
}
