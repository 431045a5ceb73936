import { AdminError } from "../service.js";
import { columnOf } from "../store/relations.js";
import {
  entriesOf,
  type Store,
  type StoreReader,
  type Transaction,
} from "../store/store.js";
import { keyTables, type KeyUse } from "./stored-keys.js";

/** Usage of a key and model in one day. */
export interface UsageRow {
  /** Day in UTC, such as `2026-01-31`. */
  readonly day: string;
  /** Id of the key. */
  readonly key: string;
  /** Name of the key at its last request of the day. */
  readonly name: string;
  /** Owner of the key; empty for a key of the config without an owner. */
  readonly owner: string;
  readonly model: string;
  readonly requests: number;
  /**
   * Number of requests without usage from the back end. Their tokens were
   * estimated from the lengths of their texts.
   */
  readonly estimatedRequests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

/** Usage to add to the records. */
export interface UsageDelta extends Omit<UsageRow, "totalTokens"> {
  /** Time of the last request in milliseconds since 1970. */
  readonly lastUsed: number;
}

/** Table of the usage: {@link UsageRecord}, keyed by `<day>/<key>/<model>`. */
const USAGE = "chat.usage";

/** Usage as it is stored. */
type UsageRecord = Omit<UsageRow, "totalTokens">;

/**
 * Adds usage to the records, and to the totals that budgets are compared with,
 * atomically. Each combination of day, key and model must occur only once.
 */
export async function recordUsage(
  store: Pick<Store, "transaction" | "rows">,
  deltas: readonly UsageDelta[],
): Promise<void> {
  if (deltas.length === 0) return;
  if (store.rows === undefined)
    return store.transaction((tx) => addRecords(tx, deltas));
  const objects = deltas
    .map(({ lastUsed, ...delta }) => ({
      ...delta,
      lastUsed: new Date(lastUsed).toISOString(),
    }))
    .map(withColumnNames);
  await store.rows(ADD_USAGE, [JSON.stringify(objects)]);
}

/** Returns a value whose members have the names of their columns. */
function withColumnNames(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      columnOf(name),
      member as unknown,
    ]),
  );
}

/**
 * Adds usage in one statement, without a transaction that reads. Rows are sorted,
 * so that processes that add to the same rows do not deadlock.
 */
const ADD_USAGE = `
WITH deltas AS (
  SELECT * FROM json_to_recordset($1::json) AS delta (
    day text, key text, model text, name text, owner text, requests bigint,
    estimated_requests bigint, prompt_tokens bigint, completion_tokens bigint,
    last_used timestamptz)
), added AS (
  INSERT INTO gen_chat_usage AS old (day, key, model, name, owner, requests,
    estimated_requests, prompt_tokens, completion_tokens)
  SELECT day, key, model, name, owner, requests, estimated_requests,
    prompt_tokens, completion_tokens
  FROM deltas ORDER BY day, key, model
  ON CONFLICT (day, key, model) DO UPDATE SET
    name = EXCLUDED.name,
    owner = EXCLUDED.owner,
    requests = old.requests + EXCLUDED.requests,
    estimated_requests = old.estimated_requests + EXCLUDED.estimated_requests,
    prompt_tokens = old.prompt_tokens + EXCLUDED.prompt_tokens,
    completion_tokens = old.completion_tokens + EXCLUDED.completion_tokens
), days AS (
  SELECT key, day, left(day, 7) AS month, max(last_used) AS last_used,
    sum(prompt_tokens + completion_tokens) AS tokens
  FROM deltas GROUP BY key, day
), totals AS (
  SELECT DISTINCT ON (key) key, day, tokens AS day_tokens, month,
    sum(tokens) OVER (PARTITION BY key, month) AS month_tokens,
    max(last_used) OVER (PARTITION BY key) AS last_used
  FROM days ORDER BY key, day DESC
)
INSERT INTO gen_chat_key_uses AS old (id, last_used, day, day_tokens, month,
  month_tokens)
SELECT key, last_used, day, day_tokens, month, month_tokens
FROM totals ORDER BY key
ON CONFLICT (id) DO UPDATE SET
  last_used = greatest(old.last_used, EXCLUDED.last_used),
  day = greatest(old.day, EXCLUDED.day),
  day_tokens = CASE WHEN old.day > EXCLUDED.day THEN 0 ELSE EXCLUDED.day_tokens END
    + CASE WHEN old.day < EXCLUDED.day THEN 0 ELSE old.day_tokens END,
  month = greatest(old.month, EXCLUDED.month),
  month_tokens =
    CASE WHEN old.month > EXCLUDED.month THEN 0 ELSE EXCLUDED.month_tokens END
    + CASE WHEN old.month < EXCLUDED.month THEN 0 ELSE old.month_tokens END`;

async function addRecords(
  tx: Transaction,
  deltas: readonly UsageDelta[],
): Promise<void> {
  for (const { lastUsed, ...delta } of deltas) {
    const id = idOf(delta);
    const old = await tx.get<UsageRecord>(USAGE, id);
    tx.put(USAGE, id, old === undefined ? delta : sumOf(delta, old));
    const use = await tx.get<KeyUse>(keyTables.uses, delta.key);
    tx.put(keyTables.uses, delta.key, useAfter(use, { lastUsed, ...delta }));
  }
}

/** Returns usage whose counts are those of both. */
export function sumOf<T extends UsageRecord>(latest: T, other: UsageRecord): T {
  return {
    ...latest,
    requests: latest.requests + other.requests,
    estimatedRequests: latest.estimatedRequests + other.estimatedRequests,
    promptTokens: latest.promptTokens + other.promptTokens,
    completionTokens: latest.completionTokens + other.completionTokens,
  };
}

function useAfter(
  old: KeyUse | undefined,
  { day, lastUsed, promptTokens, completionTokens }: UsageDelta,
): KeyUse {
  const tokens = promptTokens + completionTokens;
  const month = monthOf(day);
  const time = new Date(lastUsed).toISOString();
  if (old === undefined)
    return {
      lastUsed: time,
      day,
      dayTokens: tokens,
      month,
      monthTokens: tokens,
    };
  return {
    lastUsed: later(old.lastUsed, time),
    day: later(old.day, day),
    dayTokens: totalAfter(old.day, old.dayTokens, day, tokens),
    month: later(old.month, month),
    monthTokens: totalAfter(old.month, old.monthTokens, month, tokens),
  };
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

/**
 * Returns the total of the later of two periods after tokens were added to one
 * of them.
 */
function totalAfter(
  period: string,
  total: number,
  current: string,
  tokens: number,
): number {
  if (current > period) return tokens;
  return current < period ? total : total + tokens;
}

/** Returns the day of a time in UTC, such as `2026-01-31`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the month of a day, such as `2026-01`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

function idOf({ day, key, model }: UsageRecord): string {
  return `${day}/${key}/${model}`;
}

/** Returns the position of a row, for the member `after` of a selection. */
export function cursorOf(row: UsageRow): string {
  return idOf(row);
}

/** Filter and range of usage rows. Default: the first 1000 of all rows. */
export interface UsageSelection {
  /** First day in UTC, such as `2026-01-31`. */
  readonly from?: string | undefined;
  /** Last day. */
  readonly to?: string | undefined;
  /** Id of a key. */
  readonly key?: string | undefined;
  readonly owner?: string | undefined;
  readonly model?: string | undefined;
  /** Position of the row after which the list begins, see {@link cursorOf}. */
  readonly after?: string | undefined;
  /** Maximum number of rows. Default: 1000. */
  readonly limit?: number | undefined;
}

/**
 * Returns usage in the order of days, ids of keys and names of models.
 *
 * @throws AdminError for an invalid day, range of days or position
 */
export async function listUsage(
  store: StoreReader,
  selection: UsageSelection = {},
): Promise<readonly UsageRow[]> {
  const { from, to, key, owner, model, limit = 1000 } = selection;
  checkDay("from", from);
  checkDay("to", to);
  if (from !== undefined && to !== undefined && from > to)
    throw new AdminError("from must not be after to");
  const isSelected = (row: UsageRecord): boolean =>
    (key === undefined || row.key === key) &&
    (owner === undefined || row.owner === owner) &&
    (model === undefined || row.model === model);
  const found: UsageRow[] = [];
  const after = startOf(from, selection.after);
  const records = entriesOf<UsageRecord>(
    store,
    USAGE,
    after === undefined ? {} : { after },
  );
  for await (const { value } of records) {
    if (found.length >= limit || (to !== undefined && value.day > to)) break;
    if (isSelected(value)) found.push(withTotal(value));
  }
  return found;
}

function startOf(
  from: string | undefined,
  after: string | undefined,
): string | undefined {
  if (after !== undefined && !/^\d{4}-\d\d-\d\d\/[^/]+\/./.test(after))
    throw new AdminError("after must be the position of a row");
  // This key is less than the keys of all records of the day.
  const first = from === undefined ? undefined : `${from}//`;
  if (first === undefined || after === undefined) return after ?? first;
  return after > first ? after : first;
}

function checkDay(name: string, day: string | undefined): void {
  if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day))
    throw new AdminError(`${name} must be a day such as 2026-01-31`);
}

function withTotal(record: UsageRecord): UsageRow {
  const { promptTokens, completionTokens } = record;
  return { ...record, totalTokens: promptTokens + completionTokens };
}
