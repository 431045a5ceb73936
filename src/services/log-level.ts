import type { LogLine } from "./service.js";

/** Severity of a log line, under the names of pino. */
export type LogLevel = "info" | "warn" | "error";

/** Function that decides the level by the members of a line. */
type Rule = (line: LogLine) => LogLevel;

const hasFailure: Rule = ({ failure }) =>
  failure === undefined ? "info" : "error";

/**
 * Levels of events that are not always `info`. `error`: a caller got an error of
 * the server, or an operator must do something. `warn`: the server continues
 * with a restriction, or repeats the operation.
 */
const LEVELS: ReadonlyMap<string, LogLevel | Rule> = new Map<
  string,
  LogLevel | Rule
>([
  ["breaker", ({ state }) => (state === "open" ? "warn" : "info")],
  ["bug", "error"],
  [
    "config-reloaded",
    ({ needsRestart }) => (needsRestart === undefined ? "info" : "warn"),
  ],
  ["document-refused", "warn"],
  ["document-twin", "warn"],
  ["download failed", "error"],
  ["export failed", "error"],
  ["export interrupted", "warn"],
  ["export rejected", "warn"],
  ["failover", "warn"],
  ["folder-fault", "warn"],
  ["jobs of a process released", "warn"],
  ["log-lines-lost", "warn"],
  ["queue failed", "warn"],
  ["reload-failed", "error"],
  ["request", ({ status }) => (Number(status) >= 500 ? "error" : "info")],
  ["store-unavailable", "warn"],
  ["stream", hasFailure],
  ["tracing-unavailable", "warn"],
  ["usage-lost", "error"],
]);

/** Returns the level of a line. */
export function levelOf(line: LogLine): LogLevel {
  const level = LEVELS.get(line.event) ?? "info";
  return typeof level === "string" ? level : level(line);
}
