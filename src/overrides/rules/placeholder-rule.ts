import { displayText } from "../display-text.js";
import { findPlaceholders } from "../document/placeholders.js";
import { isSensitive } from "../secrets.js";
import type { RuleContext } from "./rule-context.js";

/** Rule S09: reports each placeholder in the file once. */
export function reportPlaceholders(context: RuleContext): void {
  const placeholders = new Map<string, Placeholder>();
  for (const { node, path, property } of context.properties.values()) {
    if (node.kind !== "scalar" || typeof node.value !== "string") continue;
    const isSecret = isSensitive(property);
    const matches = findPlaceholders(node.text, property.row.secret === true);
    for (const { name, index } of matches) {
      const first = placeholders.get(name);
      if (first !== undefined) first.more++;
      else {
        const range = placeholderRange(context, node.range, name, index);
        placeholders.set(name, { path, ...range, isSecret, more: 0 });
      }
    }
  }
  for (const [name, placeholder] of placeholders)
    reportPlaceholder(context, name, placeholder);
}

/** First occurrence of a placeholder. */
interface Placeholder {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly isSecret: boolean;
  /** Number of further occurrences of the placeholder. */
  more: number;
}

/**
 * Maximum difference between the offsets of a placeholder in the parsed value
 * and in the source text, in characters. Quotes, anchors and escapes cause a
 * difference.
 */
const MAX_SHIFT = 200;

/**
 * Returns the range of a placeholder in the file. If the placeholder is not
 * found near its offset in the parsed value, for example because of escapes or
 * line breaks, returns the range of the complete value.
 */
function placeholderRange(
  context: RuleContext,
  { start, end }: { start: number; end: number },
  name: string,
  index: number,
): { start: number; end: number } {
  const from = start + index;
  const near = context.lines.text.slice(
    from,
    Math.min(end, from + MAX_SHIFT + name.length),
  );
  const at = near.indexOf(name);
  return at < 0
    ? { start, end }
    : { start: from + at, end: from + at + name.length };
}

function reportPlaceholder(
  context: RuleContext,
  name: string,
  placeholder: Placeholder,
): void {
  const { path, isSecret, more } = placeholder;
  const shown = isSecret ? "a placeholder" : displayText(name);
  const also =
    more === 0 ? "" : `, ${more} more time${more === 1 ? "" : "s"} below`;
  const isDated = path === "instanceID" && /date/.test(name);
  context.report(
    "S09",
    placeholder,
    path,
    isDated
      ? `${shown} produces a new instanceID each time the placeholder is replaced, and a new instanceID creates a second installation`
      : `${shown} was not replaced${also}`,
    {
      severity: context.options.isStrict ? "error" : "warning",
      suggestion: isDated
        ? "set a fixed value"
        : "replace the placeholder before the file is applied",
    },
  );
}
