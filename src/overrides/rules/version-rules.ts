import type { Severity } from "../../diagnostics/types.js";
import { isNull, type Entry } from "../document/tree.js";
import type { Property } from "../schema/property-index.js";
import {
  compareVersions,
  isRemovedIn,
  isIntroducedAfter,
} from "../schema/table.js";
import type { RuleContext } from "./rule-context.js";

/**
 * Rules T06, T07 and T08: report keys that the target version does not support,
 * and deprecated keys.
 */
export function checkVersions(
  context: RuleContext,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { version } = context.options;
  const { row } = property;
  if (isIntroducedAfter(row, version))
    reportNewerProperty(context, property, entry, path);
  else if (isRemovedIn(row, version))
    reportRemovedProperty(context, property, entry, path);
  else if (row.spelling === true || isDeprecated(row, version))
    reportDeprecatedProperty(context, property, entry, path);
  else if (row.undocumented === true)
    context.report(
      "T06",
      entry.keyRange,
      path,
      `"${entry.key}" is used in practice, but is not in the vendor's reference for version ${context.options.target}`,
      { severity: "info" },
    );
}

function isDeprecated(
  { deprecatedSince }: { readonly deprecatedSince?: string },
  version: string,
): boolean {
  return (
    deprecatedSince !== undefined &&
    compareVersions(deprecatedSince, version) <= 0
  );
}

/**
 * Rule T07: reports a property that was introduced after the target version.
 * For a scalar, the finding is only a warning, because an ignored scalar has
 * less effect than an ignored block.
 */
function reportNewerProperty(
  context: RuleContext,
  { row }: Property,
  entry: Entry,
  path: string,
): void {
  context.markReported(path);
  const { target } = context.options;
  const severity: Severity =
    row.severity ?? (entry.value.kind === "scalar" ? "warning" : "error");
  context.report(
    "T07",
    entry.keyRange,
    path,
    `"${entry.key}" was introduced in ${row.since}; ${target} does not support it`,
    { severity, suggestion: `remove the key for ${target}` },
  );
}

function reportRemovedProperty(
  context: RuleContext,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { row } = property;
  if (row.replacedBy !== undefined) context.markReported(row.replacedBy);
  const { value, keyRange } = entry;
  if (!isNull(value))
    context.removedProperties.set(path, {
      path,
      property,
      node: value,
      keyRange,
    });
  context.report(
    "T08",
    keyRange,
    path,
    `"${entry.key}" was removed in ${nextMinorVersion(row.until!)}`,
    {
      ...(row.severity === undefined ? {} : { severity: row.severity }),
      suggestion: row.removed ?? "remove it",
    },
  );
}

function reportDeprecatedProperty(
  context: RuleContext,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { replacedBy } = property.row;
  if (replacedBy !== undefined) context.markReported(replacedBy);
  const { value, keyRange } = entry;
  if (!isNull(value))
    context.removedProperties.set(path, {
      path,
      property,
      node: value,
      keyRange,
    });
  context.report(
    "T06",
    keyRange,
    path,
    property.row.spelling === true
      ? `"${entry.key}" is a non-standard spelling`
      : `"${entry.key}" has been deprecated since ${property.row.deprecatedSince}`,
    { suggestion: `write ${replacedBy}` },
  );
}

/**
 * Returns the minor version that follows the last version that supports a key.
 * For example, returns 1.3 for 1.2.
 */
function nextMinorVersion(until: string): string {
  const [major = "1", minor = "0"] = until.split(".");
  return `${major}.${Number(minor) + 1}`;
}
