import { isMap, isScalar, isSeq, type Document } from "yaml";
import { positionFinder, type TextPosition } from "../diagnostics/locate.js";
import { parseYaml, YamlSyntaxError } from "../diagnostics/yaml-document.js";
import { startOf, yamlOffset } from "../diagnostics/yaml-offset.js";
import {
  MAX_DEPTH,
  PatchSyntaxError,
  depthError,
  type PatchText,
} from "./patch-text.js";

/**
 * Parses a patch file in YAML. Aliases and tags are errors, because each value
 * must be JSON.
 * @throws PatchSyntaxError if the text is invalid
 */
export function parsePatchYaml(text: string): PatchText {
  const position = positionFinder(text);
  let document: Document;
  try {
    const composed = parseYaml(text);
    // Warnings are about tags.
    if (composed.warnings.length > 0) throw composed.warnings[0]!;
    document = composed.document;
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    const at = position(Math.min(error.offset, text.length));
    throw new PatchSyntaxError(error.message, at);
  }
  const value = toJson(document.contents, 0, position);
  return {
    value,
    positionOf: (pointer) => position(yamlOffset(document, pointer)),
  };
}

/**
 * Converts a YAML node to JSON. Keys such as `__proto__` become ordinary
 * members.
 */
function toJson(
  node: unknown,
  depth: number,
  position: (offset: number) => TextPosition,
): unknown {
  const at = position(offsetIn(node));
  if (depth > MAX_DEPTH) throw depthError(at);
  const below = (child: unknown): unknown => toJson(child, depth + 1, position);
  if (node === null || node === undefined) return null;
  if (isSeq(node)) return node.items.map(below);
  if (isMap(node))
    return Object.fromEntries(
      node.items.map(({ key, value }) => {
        const name = isScalar(key) ? key.value : undefined;
        if (typeof name !== "string" && typeof name !== "number")
          throw new PatchSyntaxError("a key must be a string", at);
        return [String(name), below(value)];
      }),
    );
  if (!isScalar(node))
    throw new PatchSyntaxError("aliases are not supported", at);
  const { value } = node;
  const isJson =
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value));
  if (!isJson) throw new PatchSyntaxError("the value must be a JSON value", at);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new PatchSyntaxError(
      "an integer must be at most 2^53 - 1; put larger integers in quotes",
      at,
    );
  return value;
}

function offsetIn(node: unknown): number {
  return startOf(node) ?? 0;
}

/**
 * Removes operations from the text of a patch file.
 * @param indexes indexes of the operations, in descending order
 */
export function withoutOperations(
  text: string,
  indexes: readonly number[],
): string {
  const { document } = parseYaml(text);
  for (const index of indexes) document.deleteIn(["operations", index]);
  const list = document.get("operations");
  if (isSeq(list) && list.items.length === 0)
    document.set("operations", document.createNode([], { flow: true }));
  return document.toString({ lineWidth: 0 });
}
