import { visibleJson } from "../../diagnostics/reporters/output.js";
import type { Comparison } from "../compare.js";
import type { Change, DetailedChange, DiffResult } from "../types.js";

/**
 * Formats a comparison as a JSON object, or the comparisons of several
 * documents as an array of objects.
 */
export function jsonReport(
  comparisons: readonly Comparison[],
  isSet: boolean,
): string {
  const results = comparisons.map(({ result }) => plainResult(result));
  return `${visibleJson(isSet ? results : (results[0] ?? null))}\n`;
}

/**
 * Returns a comparison without the members that only human-readable reports
 * contain.
 */
export function plainResult(result: DiffResult<DetailedChange>): DiffResult {
  const { api, from, to, bump, changes } = result;
  return { api, from, to, bump, changes: changes.map(plainChange) };
}

function plainChange(change: DetailedChange): Change {
  const { rule, fingerprint, client, server, types } = change;
  const { method, schema, pointer, message } = change;
  return {
    rule,
    fingerprint,
    client,
    server,
    types,
    ...(method === undefined ? {} : { method }),
    ...(schema === undefined ? {} : { schema }),
    pointer,
    message,
  };
}
