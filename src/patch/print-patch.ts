import { hasInvisible, visibleLines } from "../diagnostics/invisible.js";
import { Document, visit } from "yaml";
import { visibleJson } from "../diagnostics/reporters/output.js";
import type { NewOperation } from "./patch-file.js";

/** Content of a new patch file. */
export interface NewPatch {
  readonly api: string;
  readonly revision?: string | undefined;
  readonly operations: readonly NewOperation[];
}

/**
 * First line of a patch file in YAML, with the URL of the JSON Schema for
 * editors.
 */
const HEADER =
  " yaml-language-server: $schema=https://unpkg.com/discovery-codegen/generated/schemas/patch.schema.json";

/** Maximum length of a string that is printed on one line. */
const MAX_LINE = 60;

/** Prints a patch file as YAML or JSON. In YAML, long strings are folded. */
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
  if (format === "json") return `${visibleJson(content)}\n`;
  const document = new Document(content);
  document.commentBefore = HEADER;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      if (hasInvisible(node.value)) node.type = "QUOTE_DOUBLE";
      else if (isFoldable(node.value)) node.type = "BLOCK_FOLDED";
    },
  });
  return visibleLines(document.toString({ lineWidth: 80 }));
}

function isFoldable(text: string): boolean {
  return (
    text.length > MAX_LINE &&
    text.includes(" ") &&
    /^\S.*\S$/su.test(text) &&
    !/[\t\r]/.test(text)
  );
}
