import type { Severity } from "../../diagnostics/types.js";
import { isNothing, type Entry } from "../document/tree.js";
import type { Property } from "../schema/property-index.js";
import { compareVersions, isGone, isLater } from "../schema/versions.js";
import type { Context } from "./context.js";

/** T06, T07 and T08: whether the target knows a key, and by this name. */
export function checkAge(
  context: Context,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { version } = context.options;
  const { row } = property;
  if (isLater(row, version)) reportLater(context, property, entry, path);
  else if (isGone(row, version)) reportGone(context, property, entry, path);
  else if (row.spelling === true || isDeprecated(row, version))
    reportOld(context, property, entry, path);
  else if (row.undocumented === true)
    context.report(
      "T06",
      entry.keyRange,
      path,
      `"${entry.key}" is in use, but in no reference of ${context.options.target}`,
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

/** A single value that nobody reads does less harm than a whole stanza. */
function reportLater(
  context: Context,
  { row }: Property,
  entry: Entry,
  path: string,
): void {
  context.explain(path);
  const { target } = context.options;
  const severity: Severity =
    row.severity ?? (entry.value.kind === "scalar" ? "warning" : "error");
  context.report(
    "T07",
    entry.keyRange,
    path,
    `"${entry.key}" came with ${row.since}; ${target} does not know it`,
    { severity, suggestion: `remove it for ${target}` },
  );
}

function reportGone(
  context: Context,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { row } = property;
  if (row.replacedBy !== undefined) context.explain(row.replacedBy);
  const { value, keyRange } = entry;
  if (!isNothing(value))
    context.gone.set(path, { path, property, node: value, keyRange });
  context.report(
    "T08",
    keyRange,
    path,
    `"${entry.key}" is gone since ${next(row.until!)}`,
    {
      ...(row.severity === undefined ? {} : { severity: row.severity }),
      suggestion: row.removed ?? "remove it",
    },
  );
}

function reportOld(
  context: Context,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { replacedBy } = property.row;
  if (replacedBy !== undefined) context.explain(replacedBy);
  const { value, keyRange } = entry;
  if (!isNothing(value))
    context.gone.set(path, { path, property, node: value, keyRange });
  context.report(
    "T06",
    keyRange,
    path,
    property.row.spelling === true
      ? `"${entry.key}" is another spelling`
      : `"${entry.key}" is deprecated since ${property.row.deprecatedSince}`,
    { suggestion: `write ${replacedBy}` },
  );
}

/** The version after the last one that knew a key: 1.2 → 1.3. */
function next(until: string): string {
  const [major = "1", minor = "0"] = until.split(".");
  return `${major}.${Number(minor) + 1}`;
}
