import { visibleLines } from "../diagnostics/invisible.js";
import type { RawSchema } from "../load/raw.js";
import { wellFormed } from "./html.js";
import type { JsonView } from "./json-view.js";
import { byName } from "./outline.js";

/** Maximum number of characters of a description in the tree of a schema. */
const MAX_TEXT = 300;

/** Members of a schema that the tree shows. */
const SHOWN = new Set([
  "$ref",
  "type",
  "format",
  "items",
  "additionalProperties",
  "properties",
  "description",
  "required",
  "annotations",
  "readOnly",
  "deprecated",
  "default",
  "enum",
  "enumDescriptions",
  "enumDeprecated",
  "pattern",
  "minimum",
  "maximum",
  "x-one-of",
  "x-nullable",
]);

/**
 * Returns the script that assigns the schemas of an API to a global variable. Pages
 * load it when a reader opens a body. It is a script, because pages opened from the
 * file system can't fetch data.
 */
export function schemasScript(document: JsonView): string {
  const members = byName(document.at("schemas")).map(([id, view]) => {
    const json = JSON.stringify(shown(view.value() as RawSchema));
    return `${JSON.stringify(wellFormed(id))}:${json}`;
  });
  // In JSON.parse, `__proto__` is a name like others.
  const json = JSON.stringify(`{${members.join(",\n")}}`);
  return `globalThis.apiSchemas=JSON.parse(${safeJson(json)});\n`;
}

/**
 * Escapes characters of JSON that could end a script element or hide text. They
 * occur only in strings, so the value remains the same.
 */
export function safeJson(json: string): string {
  return visibleLines(wellFormed(json)).replaceAll("<", "\\u003c");
}

function shown(schema: RawSchema): object {
  const visit = (value: unknown, isNamed: boolean): unknown => {
    if (typeof value === "string")
      return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)} …` : value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => visit(item, false));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => isNamed || SHOWN.has(key))
        .map(([key, inner]) => [
          key,
          visit(inner, !isNamed && key === "properties"),
        ]),
    );
  };
  return visit(schema, false) as object;
}
