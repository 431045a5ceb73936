import type { KeptReason } from "../../config/gen-config.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import type { Comparison } from "../../diff/compare.js";
import {
  AUDIENCES,
  isUsed,
  mostSevere,
  type Audience,
} from "../../diff/severity.js";

/** Statuses of APIs after an update. */
export const API_STATUSES = ["updated", "unchanged", "kept"] as const;

/**
 * Status of an API after an update. The previous document and output of a `kept`
 * API are unchanged.
 */
export type ApiStatus = (typeof API_STATUSES)[number];

/** Result of updating one API, as in the JSON report. */
export interface ApiUpdate {
  /** Label of the API in the config. */
  readonly api: string;
  readonly status: ApiStatus;
  /** Reason why the API is kept; null for other statuses. */
  readonly reason: KeptReason | null;
  /** Revision of the previous document; null if there is none. */
  readonly from: string | null;
  /** Revision of the published document; null if it is unknown. */
  readonly to: string | null;
  /** Number of breaking changes for each audience. */
  readonly breaking: Readonly<Record<Audience, number>>;
  /** Number of changes whose highest severity is `warning`. */
  readonly warnings: number;
  /**
   * Number of breaking changes that affect the code of `--uses`; null without
   * this option.
   */
  readonly used: number | null;
  /** Description of the problem; null if there is none. */
  readonly message: string | null;
}

/** Result of updating one API, with members for human-readable reports. */
export interface ReportedUpdate extends ApiUpdate {
  /** Causes of `kept`; empty for other statuses. */
  readonly findings: readonly Diagnostic[];
  /** Operations that were removed from patch files, as `file: kind at`. */
  readonly pruned: readonly string[];
  /** Changes of an updated API; absent for other statuses. */
  readonly comparison?: Comparison | undefined;
}

/** Totals of an update, as in the JSON report. */
export interface UpdateTotals {
  readonly updated: number;
  readonly unchanged: number;
  readonly kept: number;
  /** Numbers of kept APIs, keyed by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly breaking: Readonly<Record<Audience, number>>;
  readonly warnings: number;
  readonly used: number | null;
}

/**
 * Counts the changes of a comparison.
 * @param hasUses true if the use of the API was determined
 */
export function countChanges(
  comparison: Comparison | undefined,
  hasUses: boolean,
): Pick<ApiUpdate, "breaking" | "warnings" | "used"> {
  const changes = comparison?.result.changes ?? [];
  const breaking = { client: 0, types: 0, server: 0 };
  let [warnings, used] = [0, 0];
  for (const change of changes) {
    if (mostSevere(change) === "breaking" && isUsed(change)) used++;
    if (mostSevere(change) === "warning") warnings++;
    for (const audience of AUDIENCES)
      if (change[audience] === "breaking") breaking[audience]++;
  }
  return { breaking, warnings, used: hasUses ? used : null };
}

/** Returns the totals of an update. */
export function totalsOf(apis: readonly ApiUpdate[]): UpdateTotals {
  const statuses = { updated: 0, unchanged: 0, kept: 0 };
  const reasons: Record<string, number> = {};
  const breaking = { client: 0, types: 0, server: 0 };
  let warnings = 0;
  let used: number | null = null;
  for (const api of apis) {
    statuses[api.status]++;
    if (api.reason !== null)
      reasons[api.reason] = (reasons[api.reason] ?? 0) + 1;
    for (const audience of AUDIENCES)
      breaking[audience] += api.breaking[audience];
    warnings += api.warnings;
    if (api.used !== null) used = (used ?? 0) + api.used;
  }
  return { ...statuses, reasons, breaking, warnings, used };
}

/** Returns the members of a result that the JSON report contains. */
export function plainUpdate(update: ReportedUpdate): ApiUpdate {
  const { api, status, reason, from, to, breaking } = update;
  const { warnings, used, message } = update;
  return { api, status, reason, from, to, breaking, warnings, used, message };
}
