import { equalMessages, labelsText } from "../../diagnostics/equal-messages.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { KEPT_REASONS } from "../../config/gen-config.js";
import type { ReportedUpdate } from "./api-update.js";
import { breakingText } from "./breaking-text.js";

/** Formats the result of an update for terminals: a line for each changed API. */
export function textSummary(
  apis: readonly ReportedUpdate[],
  isCheck: boolean,
): string {
  const updated = apis.filter(({ status }) => status === "updated");
  const kept = apis.filter(({ status }) => status === "kept");
  const lines = [
    ...updated.map(updatedLine),
    ...apis.flatMap(({ pruned }) =>
      pruned.map((operation) => `removed adopted operation ${operation}`),
    ),
    ...keptLines(kept),
    [
      `${formatCount(updated.length, "API")} ${isCheck ? "to update" : "updated"}`,
      `${apis.length - updated.length - kept.length} unchanged`,
      `${kept.length} kept`,
    ].join(", "),
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}

function updatedLine(api: ReportedUpdate): string {
  const { from, to, warnings, used } = api;
  const counts = [
    breakingText(api),
    ...(used === null ? [] : [`${used} of them affect this code`]),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
  ].filter((text) => text !== "");
  return `${api.api}: revision ${from ?? "none"} → ${to ?? "none"}${counts.length === 0 ? "" : `; ${counts.join(", ")}`}`;
}

/** Returns a line for each reason and problem; equal problems share a line. */
function keptLines(kept: readonly ReportedUpdate[]): string[] {
  return KEPT_REASONS.flatMap((reason) =>
    equalMessages(
      kept
        .filter((api) => api.reason === reason)
        .map(({ api, message }) => ({ id: api, message: message ?? "" })),
    ).map(
      ({ ids, message }) =>
        `${labelsText(ids)}: kept (${reason})${message === "" ? "" : `: ${message}`}`,
    ),
  );
}
