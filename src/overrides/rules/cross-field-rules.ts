import { isIP } from "node:net";
import { isNull } from "../document/tree.js";
import type { CrossFieldRule } from "../schema/table.js";
import { scalarAt } from "./conditions.js";
import type { RuleContext } from "./rule-context.js";

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
