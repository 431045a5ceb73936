import type { Range, ScalarNode } from "./tree.js";

const NULL = /^(?:~|[Nn]ull|NULL)$/;
const BOOLEAN = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/;
const INTEGER = /^[-+]?[0-9]+$/;
const FRACTION = /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/;
/**
 * Pattern for number notations that are rare in overrides files. The YAML
 * library parses such numbers.
 */
const UNCOMMON_NUMBER =
  /^(?:0[ox]|[-+]?\.(?:inf|nan)$|[-+]?[0-9.]+e[-+]?[0-9]+$)/i;

/**
 * Parses an unquoted scalar according to the YAML core schema. Returns
 * undefined for rare number notations, which the YAML library must parse.
 */
export function plainScalar(
  text: string,
  range: Range,
): ScalarNode | undefined {
  if (UNCOMMON_NUMBER.test(text)) return undefined;
  return { kind: "scalar", range, value: valueOf(text), isPlain: true, text };
}

function valueOf(text: string): ScalarNode["value"] {
  if (INTEGER.test(text)) return Number.parseInt(text, 10);
  if (FRACTION.test(text)) return Number.parseFloat(text);
  if (BOOLEAN.test(text)) return /^t/i.test(text);
  return NULL.test(text) ? null : text;
}
