import { isIP } from "node:net";
import { findPlaceholders } from "../document/placeholders.js";
import { isSensitive } from "../secrets.js";
import { shownText } from "../display-text.js";
import { isNothing } from "../document/tree.js";
import type { CrossRule } from "../schema/table.js";
import { scalarAt } from "./conditions.js";
import type { Context } from "./context.js";

type Rule<Name> = Extract<CrossRule, { rule: Name }>;

/** X08: a number that has to be a multiple of another one in production. */
export function checkMultiple(
  context: Context,
  { key, of, code }: Rule<"multiple">,
): void {
  const { mode } = context.options;
  const found = context.found.get(key);
  if (mode === "demo" || context.isExplained(key)) return;
  if (found !== undefined && scalarAt(context, key) === undefined) return;
  const value = found?.node.kind === "scalar" ? Number(found.node.value) : 1;
  if (Number.isNaN(value) || (value > 0 && value % of === 0)) return;
  const isAbsent = found === undefined;
  context.report(
    code,
    isAbsent ? context.nearest("", key) : found.node.range,
    key,
    isAbsent
      ? `${key} is missing, and 1 would be used; production needs a multiple of ${of}`
      : `${value} is no multiple of ${of}, which production needs`,
    {
      severity: mode === "prod" ? "error" : "warning",
      isModal: mode === undefined,
      suggestion: `set ${key} to ${Math.max(of, Math.ceil(value / of) * of)}`,
    },
  );
}

/** X10: a value that is there only while an upgrade runs. */
export function checkTemporary(
  context: Context,
  { key, other, code }: Rule<"temporary">,
): void {
  const { phase } = context.options;
  const found = context.found.get(key);
  if (found === undefined || isNothing(found.node)) {
    if (phase === "install" && !context.isExplained(key))
      context.report(
        code,
        context.nearest("", key),
        key,
        `${key} is missing; the new database would begin a ring of its own`,
        { suggestion: "set it to the address of a node of the old database" },
      );
    return;
  }
  if (phase === "final")
    return context.report(
      code,
      found.keyRange,
      key,
      `${key} is still there; it has to go when the ring is joined`,
      {
        severity: "error",
        suggestion: "remove it, and apply --datastore again",
      },
    );
  reportPresent(context, key, other, code);
}

function reportPresent(
  context: Context,
  key: string,
  other: string,
  code: string,
): void {
  const found = context.found.get(key)!;
  const warn = (message: string, suggestion: string): void =>
    context.report(code, found.keyRange, key, message, {
      severity: "warning",
      suggestion,
    });
  const value = scalarAt(context, key);
  if (context.found.has(other))
    return warn(
      `${key} and ${other} are both set`,
      "a node joins one ring: keep one of them",
    );
  if (context.isExplained(key)) return;
  if (value !== undefined && isIP(value.node.text) === 0)
    return warn(
      `${key} is no IP address`,
      "use the address of a pod of the old database",
    );
  if (context.options.phase === undefined)
    warn(
      `${key} is there only while an upgrade runs`,
      "remove it when old and new nodes are in one ring",
    );
}

/** X13: what production should not leave as it is. */
export function checkProduction(
  context: Context,
  { keys, unless, value, what, code }: Rule<"production">,
): void {
  if (context.options.mode === "demo") return;
  if (unless.some((path) => context.found.has(path))) return;
  if (value !== undefined) {
    const found = scalarAt(context, keys[0]!);
    if (found?.node.value !== value) return;
    return context.report(
      code,
      found.node.range,
      found.path,
      `${keys[0]} is ${value}: ${what}`,
      {
        severity: context.options.mode === "prod" ? "error" : "warning",
        isModal: context.options.mode === undefined,
        suggestion: `set it to ${!value} in production`,
      },
    );
  }
  const absent = keys.filter((key) => !context.found.has(key));
  if (absent.length === 0 || absent.some((key) => context.isExplained(key)))
    return;
  context.report(
    code,
    context.nearest("", absent[0]!),
    absent[0]!,
    `the vendor's public defaults are used for ${what}, such as ${absent[0]}`,
    {
      isModal: context.options.mode === undefined,
      suggestion:
        "choose your own before the first installation; later they can't simply be changed",
    },
  );
}

/** S09: what still waits to be filled in; each name once. */
export function reportPlaceholders(context: Context): void {
  const places = new Map<string, Placeholder>();
  for (const { node, path, property } of context.found.values()) {
    if (node.kind !== "scalar" || typeof node.value !== "string") continue;
    const isSecret = isSensitive(property);
    const found = findPlaceholders(node.text, property.row.secret === true);
    for (const { name, index } of found) {
      const known = places.get(name);
      if (known !== undefined) known.more++;
      else {
        const place = within(context, node.range, name, index);
        places.set(name, { path, ...place, isSecret, more: 0 });
      }
    }
  }
  for (const [name, place] of places) reportPlaceholder(context, name, place);
}

/** First use of a name that is still to be filled in. */
interface Placeholder {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly isSecret: boolean;
  /** How often it is used after that. */
  more: number;
}

/** Longest quote, anchor or escape that may shift a name in its value. */
const MOST_SHIFT = 200;

/** The place of a name in the file; the whole value if escapes or line breaks shift it. */
function within(
  context: Context,
  { start, end }: { start: number; end: number },
  name: string,
  index: number,
): { start: number; end: number } {
  const from = start + index;
  const near = context.lines.text.slice(
    from,
    Math.min(end, from + MOST_SHIFT + name.length),
  );
  const at = near.indexOf(name);
  return at < 0
    ? { start, end }
    : { start: from + at, end: from + at + name.length };
}

function reportPlaceholder(
  context: Context,
  name: string,
  place: Placeholder,
): void {
  const { path, isSecret, more } = place;
  const shown = isSecret ? "a placeholder" : shownText(name);
  const also =
    more === 0 ? "" : `, ${more} more time${more === 1 ? "" : "s"} below`;
  const isFleeting = path === "instanceID" && /date/.test(name);
  context.report(
    "S09",
    place,
    path,
    isFleeting
      ? `${shown} makes a new identity each time the file is filled in, and that is a second installation`
      : `${shown} is not filled in yet${also}`,
    {
      severity: context.options.isStrict ? "error" : "warning",
      suggestion: isFleeting
        ? "write down the identity once, and keep it"
        : "fill it in before the file is applied",
    },
  );
}
