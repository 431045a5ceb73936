import type { Outline } from "./document/outline.js";
import { knowledge } from "./schema/property-index.js";
import type { Detection, Row } from "./schema/table.js";
import { compareVersions, isLater } from "./schema/versions.js";

/** Which version a file looks like it was written for. */
export interface Detected {
  /** `1.2`; `1.8+` for that version or a later one; `unknown`. */
  readonly version: string;
  /** The evidence, as the end of a sentence that begins with the version. */
  readonly why: string;
  /** Offset of the evidence. */
  readonly offset?: number;
}

/** Says which version a file looks like, and why; the first row that fits counts. */
export function detectVersion(outline: Outline): Detected {
  const { table } = knowledge();
  for (const row of table.detection) {
    const found =
      row.later === true ? detectLater(outline) : detectRow(row, outline);
    if (found !== undefined) return found;
  }
  return {
    version: "unknown",
    why: "it has none of the keys that tell versions apart",
  };
}

function detectRow(row: Detection, outline: Outline): Detected | undefined {
  const { version = "", any = [], none = [], with: others, why } = row;
  const path = any.find((candidate) => outline.has(candidate));
  if (path === undefined || none.some((other) => outline.has(other)))
    return undefined;
  const company = (others ?? []).filter((other) => outline.has(other)).length;
  if (others !== undefined && company < 2) return undefined;
  const offset = outline.get(path)!;
  return { version, why: `${path}: ${why}`, offset };
}

/** The newest property that came after the newest target. */
function detectLater(outline: Outline): Detected | undefined {
  const { table, byPath } = knowledge();
  const target = table.targets[table.defaultTarget]!;
  let newest: Row | undefined;
  for (const path of outline.keys()) {
    const row = byPath.get(path)?.row;
    if (row === undefined || !isLater(row, target)) continue;
    const isNewer =
      newest === undefined || compareVersions(row.since!, newest.since!) > 0;
    if (isNewer) newest = row;
  }
  if (newest === undefined) return undefined;
  return {
    version: `${newest.since}+`,
    why: `${newest.path}: came with ${newest.since}`,
    offset: outline.get(newest.path)!,
  };
}
