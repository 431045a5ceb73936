import { isDeepStrictEqual } from "node:util";
import { audit } from "../audit.js";
import type { LogLine } from "../service.js";
import type { Store } from "../store/store.js";

/** Store, clock and log of the admin API. */
export interface AdminContext {
  readonly store: Store;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: LogLine) => void;
}

/** Authenticated caller. */
export interface Operator {
  /** Name in audit events. */
  readonly name: string;
}

/** Members of a handler's argument that an audit event contains. */
interface ChangingCall {
  readonly auth: Operator;
  readonly method: { readonly id: string };
}

/** Returns the current time in ISO 8601 format. */
export function timeOf({ now }: AdminContext): string {
  return new Date(now()).toISOString();
}

/** Writes the audit event of a change that was stored. */
export function auditChange(
  { log }: AdminContext,
  { auth, method }: ChangingCall,
  change: {
    readonly target: string;
    readonly before?: unknown;
    readonly after?: unknown;
  },
): void {
  const { target, before, after } = change;
  audit(log, {
    service: "admin",
    action: method.id,
    actor: auth.name,
    target,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

/**
 * Returns what changed between two records: the values of `shown`, and the names
 * of all changed members. Texts and personal data are not shown.
 */
export function differenceOf(
  before: object,
  after: object,
  shown: readonly string[],
): { readonly before: object; readonly after: object } {
  const old = before as Readonly<Record<string, unknown>>;
  const changed = after as Readonly<Record<string, unknown>>;
  const names = [...new Set([...Object.keys(old), ...Object.keys(changed)])]
    .filter((name) => !isDeepStrictEqual(old[name], changed[name]))
    .sort();
  const valuesOf = (record: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(
      names
        .filter((name) => shown.includes(name))
        .map((name) => [name, record[name] ?? null]),
    );
  return {
    before: valuesOf(old),
    after: { ...valuesOf(changed), changed: names },
  };
}
