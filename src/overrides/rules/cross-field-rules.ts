import { isIP } from "node:net";
import { isNull } from "../document/tree.js";
import type { CrossFieldRule } from "../schema/table.js";
import { scalarAt } from "./relation-rules.js";
import type { RuleContext } from "./rule-context.js";
import { displayText } from "../display-text.js";
import { findPlaceholders } from "../document/placeholders.js";
import { isSensitive } from "../secrets.js";

type Rule<Name> = Extract<CrossFieldRule, { rule: Name }>;

/**
 * Rule X08: reports a number that is not a multiple of the required number,
 * such as 3, in production.
 */
export function checkMultiple(
  context: RuleContext,
  { key, of, code }: Rule<"multiple">,
): void {
  const { mode } = context.options;
  const instance = context.properties.get(key);
  if (mode === "demo" || context.isReported(key)) return;
  if (instance !== undefined && scalarAt(context, key) === undefined) return;
  const value =
    instance?.node.kind === "scalar" ? Number(instance.node.value) : 1;
  if (Number.isNaN(value) || (value > 0 && value % of === 0)) return;
  const isAbsent = instance === undefined;
  context.report(
    code,
    isAbsent ? context.nearestRange("", key) : instance.node.range,
    key,
    isAbsent
      ? `${key} is missing and defaults to 1; production requires a multiple of ${of}`
      : `${value} is not a multiple of ${of}; production requires a multiple of ${of}`,
    {
      severity: mode === "prod" ? "error" : "warning",
      dependsOnMode: mode === undefined,
      suggestion: `set ${key} to ${Math.max(of, Math.ceil(value / of) * of)}`,
    },
  );
}

/** Rule X10: reports a property that may be set only during an upgrade. */
export function checkTemporary(
  context: RuleContext,
  { key, other, code }: Rule<"temporary">,
): void {
  const { phase } = context.options;
  const instance = context.properties.get(key);
  if (instance === undefined || isNull(instance.node)) {
    if (phase === "install" && !context.isReported(key))
      context.report(
        code,
        context.nearestRange("", key),
        key,
        `${key} is missing; the new database would create a separate Cassandra ring`,
        {
          suggestion:
            "set the key to the IP address of a node of the old database",
        },
      );
    return;
  }
  if (phase === "final")
    return context.report(
      code,
      instance.keyRange,
      key,
      `${key} is still set; it must be removed after the new nodes have joined the Cassandra ring`,
      {
        severity: "error",
        suggestion:
          "remove the key, and run `apigeectl apply --datastore` again",
      },
    );
  reportTemporaryValue(context, key, other, code);
}

function reportTemporaryValue(
  context: RuleContext,
  key: string,
  other: string,
  code: string,
): void {
  const instance = context.properties.get(key)!;
  const warn = (message: string, suggestion: string): void =>
    context.report(code, instance.keyRange, key, message, {
      severity: "warning",
      suggestion,
    });
  const value = scalarAt(context, key);
  if (context.properties.has(other))
    return warn(
      `${key} and ${other} are both set`,
      "remove one of them: a node can join only one Cassandra ring",
    );
  if (context.isReported(key)) return;
  if (value !== undefined && isIP(value.node.text) === 0)
    return warn(
      `${key} is not an IP address`,
      "use the IP address of a pod of the old database",
    );
  if (context.options.phase === undefined)
    warn(
      `${key} is allowed only during an upgrade`,
      "remove the key after the old and new nodes have joined the same Cassandra ring",
    );
}

/** Rule X13: reports defaults that are unsafe in production. */
export function checkProduction(
  context: RuleContext,
  { keys, unless, value, what, code }: Rule<"production">,
): void {
  if (context.options.mode === "demo") return;
  if (unless.some((path) => context.properties.has(path))) return;
  if (value !== undefined) {
    const instance = scalarAt(context, keys[0]!);
    if (instance?.node.value !== value) return;
    return context.report(
      code,
      instance.node.range,
      instance.path,
      `${keys[0]} is ${value}: ${what}`,
      {
        severity: context.options.mode === "prod" ? "error" : "warning",
        dependsOnMode: context.options.mode === undefined,
        suggestion: `set it to ${!value} in production`,
      },
    );
  }
  const absent = keys.filter((key) => !context.properties.has(key));
  if (absent.length === 0 || absent.some((key) => context.isReported(key)))
    return;
  context.report(
    code,
    context.nearestRange("", absent[0]!),
    absent[0]!,
    `${what} such as ${absent[0]} are not set, so the vendor's public defaults are used`,
    {
      dependsOnMode: context.options.mode === undefined,
      suggestion:
        "set your own values before the first installation; they are hard to change later",
    },
  );
}

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
