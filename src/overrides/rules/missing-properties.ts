import type { Property } from "../schema/property-index.js";
import { compareVersions, isWithin } from "../schema/versions.js";
import { join, type Context, type Found } from "./context.js";

/** T04: required keys that are not there, of every block that is. */
export function reportMissing(context: Context): void {
  for (const found of context.found.values()) {
    if (found.node.kind !== "map") continue;
    for (const member of found.property.members.values())
      check(context, found, member);
  }
}

function check(context: Context, owner: Found, { row, key }: Property): void {
  const { version } = context.options;
  if (row.required === undefined || !isWithin(version, row)) return;
  const { requiredSince } = row;
  const isEarly =
    requiredSince !== undefined && compareVersions(requiredSince, version) > 0;
  const path = join(owner.path, key);
  if (isEarly || context.found.has(path) || context.isExplained(path)) return;
  const fallback =
    row.default === undefined ? "" : `; ${row.default} would be used`;
  context.report(
    "T04",
    context.nearest(owner.path, key),
    path,
    `${path} is missing${fallback}`,
    {
      severity: row.required,
      suggestion: `add ${key}: ${row.description.replace(/\.$/, "")}`,
    },
  );
}
