import { isNothing } from "../document/tree.js";
import { shownText } from "../display-text.js";
import type { CrossRule } from "../schema/table.js";
import { hasValue, holds, requireValue, scalarAt } from "./conditions.js";
import { join, type Context, type Found } from "./context.js";
import { amountOf } from "./quantity.js";

type Rule<Name> = Extract<CrossRule, { rule: Name }>;

/** Keys of which both or none stand there. */
export function checkTogether(
  context: Context,
  { at, keys, code }: Rule<"together">,
): void {
  for (const owner of context.instances(at)) {
    const present = keys.filter((key) => isThere(context, owner, key));
    if (present.length === 0) continue;
    for (const key of keys)
      if (!present.includes(key))
        reportLack(
          context,
          code,
          owner,
          key,
          `${present[0]} stands without ${key}`,
        );
  }
}

/** Keys that a value beside them requires. */
export function checkNeeds(
  context: Context,
  { at, keys, when, code }: Rule<"needs">,
): void {
  for (const owner of context.instances(at)) {
    if (owner.node.kind !== "map" || !holds(context, owner, when)) continue;
    for (const key of keys)
      if (!isThere(context, owner, key))
        reportLack(
          context,
          code,
          owner,
          key,
          `${owner.path} needs ${key}, as ${reasonOf(when)}`,
        );
  }
}

function reasonOf(when: Readonly<Record<string, string | boolean>>): string {
  return Object.entries(when)
    .map(([key, value]) =>
      value === "*" ? `${key} is set` : `${key} is ${value}`,
    )
    .join(" and ");
}

function isThere(context: Context, owner: Found, key: string): boolean {
  return hasValue(context.below(owner, key));
}

function reportLack(
  context: Context,
  code: string,
  owner: Found,
  key: string,
  message: string,
): void {
  const place = join(owner.path, key);
  requireValue(context, owner, key);
  if (context.isExplained(place)) return;
  context.report(code, context.nearest(owner.path, key), place, message, {
    suggestion: `add ${key}`,
  });
}

/** A lower bound that is above the upper one. */
export function checkOrdered(context: Context, rule: Rule<"ordered">): void {
  const { at, code } = rule;
  for (const owner of context.instances(at)) {
    const low = scalarAt(context, join(owner.path, rule.low));
    const high = scalarAt(context, join(owner.path, rule.high));
    if (low === undefined || high === undefined) continue;
    const [a, b] = [low, high].map(({ node }) =>
      rule.scale === "number" ? Number(node.value) : amountOf(node.text),
    ) as [number, number];
    const isWrong = rule.strict === true ? a >= b : a > b;
    if (!isWrong) continue;
    context.report(
      code,
      low.node.range,
      low.path,
      `${rule.low} ${shownText(low.node.text)} is ${a === b ? "not less" : "more"} than ${rule.high} ${shownText(high.node.text)}`,
      {
        suggestion: `see line ${context.lines.positionOf(high.node.range.start).line}`,
      },
    );
  }
}

/** Two elements of the same name. */
export function checkUnique(
  context: Context,
  { list, key, code, what }: Rule<"unique">,
): void {
  const seen = new Map<string, Found>();
  for (const owner of context.instances(list)) {
    const name = scalarAt(context, join(owner.path, key));
    if (name === undefined) continue;
    const first = seen.get(name.node.text);
    if (first === undefined) seen.set(name.node.text, name);
    else {
      const { line } = context.lines.positionOf(first.node.range.start);
      context.report(
        code,
        name.node.range,
        name.path,
        `the ${what} ${JSON.stringify(shownText(name.node.text))} stands in line ${line} already`,
        { suggestion: "give each its own name" },
      );
    }
  }
}

/** Two values that are usually the same. */
export function checkSame(
  context: Context,
  { keys, code }: Rule<"same">,
): void {
  const [one, other] = keys.map((path) => scalarAt(context, path));
  if (one === undefined || other === undefined) return;
  if (one.node.text === other.node.text) return;
  context.report(
    code,
    one.node.range,
    one.path,
    `${keys[0]} differs from ${keys[1]}`,
    {
      suggestion:
        "use one account, or bind both to the role of the connect agent",
    },
  );
}

/** A value above what is usual. */
export function checkMost(
  context: Context,
  { key, most, code }: Rule<"most">,
): void {
  const found = scalarAt(context, key);
  if (found === undefined || Number(found.node.value) <= most) return;
  context.report(
    code,
    found.node.range,
    found.path,
    `${shownText(found.node.text)} replicas, ${most} is what the component is made for`,
    { severity: "warning" },
  );
}

/** A value that another one implies. */
export function checkRedundant(
  context: Context,
  { key, same, code }: Rule<"redundant">,
): void {
  const found = scalarAt(context, key);
  const other = scalarAt(context, same);
  if (found === undefined || other?.node.text !== found.node.text) return;
  context.report(code, found.keyRange, found.path, `${key} is ${same} anyway`, {
    severity: "info",
    suggestion: "drop it",
  });
}

/** A flat key beside the stanza that took its place, with another value. */
export function checkMoved(
  context: Context,
  { flat, key, code }: Rule<"moved">,
): void {
  const old = context.gone.get(flat);
  const now = context.found.get(key);
  if (old?.node.kind !== "scalar" || now?.node.kind !== "scalar") return;
  if (isNothing(now.node) || old.node.text === now.node.text) return;
  const { line } = context.lines.positionOf(now.keyRange.start);
  const index = context.findings.findIndex(
    ({ offset, code: other }) =>
      offset === old.keyRange.start && (other === "T08" || other === "T06"),
  );
  if (index >= 0) context.findings.splice(index, 1);
  context.report(
    code,
    old.keyRange,
    old.path,
    `${flat} and ${key} in line ${line} have different values`,
    { suggestion: `keep the right value in ${key}, and remove ${flat}` },
  );
}
