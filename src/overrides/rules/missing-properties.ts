import type { Property } from "../schema/property-index.js";
import { compareVersions, isSupportedIn } from "../schema/versions.js";
import {
  joinPaths,
  type RuleContext,
  type PropertyInstance,
} from "./rule-context.js";

/** Rule T04: reports required keys that are missing from a block. */
export function reportMissing(context: RuleContext): void {
  for (const instance of context.properties.values()) {
    if (instance.node.kind !== "map") continue;
    for (const member of instance.property.members.values())
      checkRequired(context, instance, member);
  }
}

function checkRequired(
  context: RuleContext,
  owner: PropertyInstance,
  { row, key }: Property,
): void {
  const { version } = context.options;
  if (row.required === undefined || !isSupportedIn(version, row)) return;
  const { requiredSince } = row;
  const isEarly =
    requiredSince !== undefined && compareVersions(requiredSince, version) > 0;
  const path = joinPaths(owner.path, key);
  if (isEarly || context.properties.has(path) || context.isReported(path))
    return;
  const fallback =
    row.default === undefined ? "" : `; the default is ${row.default}`;
  context.report(
    "T04",
    context.nearestRange(owner.path, key),
    path,
    `${path} is missing${fallback}`,
    {
      severity: row.required,
      suggestion: `add ${key}: ${row.description.replace(/\.$/, "")}`,
    },
  );
}
