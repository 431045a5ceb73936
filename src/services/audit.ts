import type { LogLine } from "./service.js";

/**
 * Change of data. Members contain ids and counts, never credentials or
 * content.
 */
export interface Change {
  readonly service: string;
  /** Operation, such as `key create` or the id of an API method. */
  readonly action: string;
  /** User, key or account that made the change. */
  readonly actor: string;
  /** Id of the changed object, such as the user name of an owner. */
  readonly target: string;
  /** Ids or values that the change replaced or deleted. */
  readonly before?: unknown;
  /** Ids or values after the change. */
  readonly after?: unknown;
}

/** Writes an audit event to the log. Call it after the change was stored. */
export function audit(log: (line: LogLine) => void, change: Change): void {
  log({ ...change, event: "audit" });
}
