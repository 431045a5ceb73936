import type {
  FileCheck,
  FileSource,
} from "../../../generated/overrides/v1.3/rules.js";
import type { KeyPath } from "../../runtime/rules/paths.js";
import type { Property } from "../../runtime/rules/properties.js";
import type {
  Entry,
  MapNode,
  Range,
  ScalarNode,
} from "../../runtime/rules/tree.js";
import type { LineIndex } from "../document/source-text.js";
import { propertyIndex } from "../schema/property-index.js";

/**
 * Returns the positions of a YAML file for the generated validator, and the
 * rules about YAML that the validator of values can't contain.
 */
export function yamlSource(lines: LineIndex): FileSource {
  return {
    locate: ({ start }) => `line ${lines.positionOf(start).line}`,
    find: (scalar, part, index) => rangeOf(lines, scalar, part, index),
    checkMap: (file, node, path) => reportDuplicates(file, lines, node, path),
    checkScalar: (file, node, property, path) =>
      reportContinued(file, lines, node, path) ||
      reportYaml11Boolean(file, node, property, path),
  };
}

/**
 * Maximum difference between the offsets of text in the parsed value and in the
 * source text, in characters. Quotes, anchors and escapes cause a difference.
 */
const MAX_SHIFT = 200;

/**
 * Returns the range of a part of a scalar. If the part is not found near its
 * offset in the parsed value, for example because of escapes or line breaks,
 * returns the range of the complete value.
 */
function rangeOf(
  { text }: LineIndex,
  { start, end }: Range,
  part: string,
  index: number,
): Range {
  const from = start + index;
  const near = text.slice(from, Math.min(end, from + MAX_SHIFT + part.length));
  const at = near.indexOf(part);
  return at < 0
    ? { start, end }
    : { start: from + at, end: from + at + part.length };
}

/**
 * Rule S05: reports duplicate keys. A key that overrides a key from a merge
 * (`<<`) is allowed.
 */
function reportDuplicates(
  file: FileCheck,
  lines: LineIndex,
  { entries }: MapNode,
  path: KeyPath,
): void {
  const seen = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.isMerged === true) continue;
    const first = seen.get(entry.key);
    if (first === undefined) seen.set(entry.key, entry);
    else reportDuplicate(file, lines, first, entry, path);
  }
}

function reportDuplicate(
  file: FileCheck,
  lines: LineIndex,
  first: Entry,
  second: Entry,
  path: KeyPath,
): void {
  const { line } = lines.positionOf(first.keyRange.start);
  file.report(
    "S05",
    second.keyRange,
    file.pathText([...path, second.key]),
    `duplicate key "${file.shown(second.key)}", first on line ${line}; only the last value is used`,
    { suggestion: `merge the value into the key on line ${line}` },
  );
}

/**
 * Rule S02: reports a list item that YAML parses as a continuation of the text
 * above it, because it is indented too deeply.
 */
function reportContinued(
  file: FileCheck,
  lines: LineIndex,
  { isPlain, text, range }: ScalarNode,
  path: string,
): boolean {
  const next = isPlain ? text.search(/\n *- /) : -1;
  if (next < 0) return false;
  const start = range.start + next + 1;
  const at = start + text.slice(next + 1).indexOf("-");
  const { line, column } = lines.positionOf(at);
  const above = lines.positionOf(range.start);
  file.markReported(path);
  file.report(
    "S02",
    { start: at, end: at + 1 },
    path,
    `line ${line} is read as a continuation of line ${above.line}, because it is indented by ${column - 1} spaces`,
    { suggestion: `indent the dash like the one on line ${above.line}` },
  );
  return true;
}

const YAML_1_1_BOOLEAN =
  /^(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/;
const YAML_1_1_TRUE = /^(y|yes|on)$/i;

/**
 * Rule S10: reports a word that is a boolean in YAML 1.1, the version that
 * `apigeectl` reads.
 */
function reportYaml11Boolean(
  file: FileCheck,
  { isPlain, text, range }: ScalarNode,
  { row }: Property,
  path: string,
): boolean {
  if (!isPlain || !YAML_1_1_BOOLEAN.test(text)) return false;
  const also = propertyIndex().rules.kinds[row.kind ?? ""]?.also ?? [];
  const isBoolean = row.type === "boolean" || also.includes("boolean");
  if (!isBoolean && row.type !== "string" && row.kind === undefined)
    return false;
  const word = YAML_1_1_TRUE.test(text) ? "true" : "false";
  file.markReported(path);
  file.report(
    "S10",
    range,
    path,
    `some YAML parsers read ${text} as ${word}, ${isBoolean ? "others" : "not"} as text`,
    {
      severity: isBoolean ? "warning" : "error",
      suggestion: `write ${isBoolean ? word : `"${text}"`}`,
    },
  );
  return true;
}
