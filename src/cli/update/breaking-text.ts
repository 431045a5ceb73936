import type { ApiUpdate } from "./api-update.js";

/** Audiences in the order of reports of updates. */
export const REPORTED_AUDIENCES = ["client", "types", "server"] as const;

/**
 * Formats the number of breaking changes: `breaking: 2 client, 3 types`; empty if
 * there are none.
 */
export function breakingText({
  breaking,
}: Pick<ApiUpdate, "breaking">): string {
  const counts = REPORTED_AUDIENCES.filter(
    (audience) => breaking[audience] > 0,
  );
  return counts.length === 0
    ? ""
    : `breaking: ${counts.map((audience) => `${breaking[audience]} ${audience}`).join(", ")}`;
}
