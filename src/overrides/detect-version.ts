import type { Outline } from "./document/keyed-lines.js";
import { propertyIndex } from "./schema/property-index.js";
import { detection } from "#built/overrides.js";
import type { PropertyRow } from "../runtime/rules/properties.js";
import {
  compareVersions,
  isIntroducedAfter,
} from "../runtime/rules/versions.js";
import type { DetectionRow } from "./schema/operations.js";

/**
 * Apigee version for which a file was probably written, with the evidence for
 * this version.
 */
export interface DetectedVersion {
  /** Version such as `1.2`; `1.8+` for 1.8 or newer; or `unknown`. */
  readonly version: string;
  /** Evidence for the version, such as `gcp.region: introduced in 1.2`. */
  readonly evidence: string;
  /**
   * Offset in the file of the key that identifies the version; absent for
   * `unknown`.
   */
  readonly offset?: number;
}

/**
 * Detects the version for which a file was written, from the properties that
 * the file contains.
 */
export function detectVersion(outline: Outline): DetectedVersion {
  for (const row of detection) {
    const found =
      row.later === true ? detectNewer(outline) : detectRow(row, outline);
    if (found !== undefined) return found;
  }
  return {
    version: "unknown",
    evidence: "no key identifies a version",
  };
}

function detectRow(
  row: DetectionRow,
  outline: Outline,
): DetectedVersion | undefined {
  const { version = "", any = [], none = [], with: others, why } = row;
  const path = any.find((candidate) => outline.has(candidate));
  if (path === undefined || none.some((other) => outline.has(other)))
    return undefined;
  const presentCount = (others ?? []).filter((other) =>
    outline.has(other),
  ).length;
  if (others !== undefined && presentCount < 2) return undefined;
  const offset = outline.get(path)!;
  return { version, evidence: `${path}: ${why}`, offset };
}

/**
 * Returns the version that introduced the newest property in the file, if that
 * version is newer than all supported versions; otherwise undefined.
 */
function detectNewer(outline: Outline): DetectedVersion | undefined {
  const { rules, byPath } = propertyIndex();
  const target = rules.targets[rules.defaultTarget]!;
  let newest: PropertyRow | undefined;
  for (const path of outline.keys()) {
    const row = byPath.get(path)?.row;
    if (row === undefined || !isIntroducedAfter(row, target)) continue;
    const isNewer =
      newest === undefined || compareVersions(row.since!, newest.since!) > 0;
    if (isNewer) newest = row;
  }
  if (newest === undefined) return undefined;
  return {
    version: `${newest.since}+`,
    evidence: `${newest.path}: introduced in ${newest.since}`,
    offset: outline.get(newest.path)!,
  };
}
