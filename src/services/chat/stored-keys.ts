// This file is longer than 400 lines because creation and changes of keys share the
// checks of their settings.
import { definedMembers } from "../../platform/defined-members.js";
import { hashOf, idOfHash, isSameHash, randomKey } from "../key-hash.js";
import { AdminError } from "../service.js";
import type { Store, StoreReader, Transaction } from "../store/store.js";

/** Limits of an API key per minute. An absent limit is unlimited. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** Maximum tokens of an API key per day and month in UTC. Absent: unlimited. */
export interface Budgets {
  readonly tokensPerDay?: number;
  readonly tokensPerMonth?: number;
}

/** API key in the store, without the key itself. Times are in ISO 8601 format. */
export interface StoredKey {
  /** Start of the key's hash. */
  readonly id: string;
  /** Name of the key in the log, in metrics and in reports. */
  readonly name: string;
  /** Person, team or account to which usage is attributed. */
  readonly owner: string;
  /** Names of the allowed models; absent if all models are allowed. */
  readonly models?: readonly string[];
  readonly limits: RateLimits;
  readonly budgets: Budgets;
  readonly created: string;
  /** Time from which the key is rejected; absent if the key does not expire. */
  readonly expires?: string;
  /** Time at which the key was revoked; absent if the key is valid. */
  readonly revoked?: string;
  /** Time of the last request, as recorded by the last flush of the usage. */
  readonly lastUsed?: string;
}

/** Key as it is stored. */
export interface KeyRecord extends Omit<StoredKey, "lastUsed"> {
  /** SHA-256 of the key in hexadecimal. */
  readonly hash: string;
}

/** Tables of the store. */
export const keyTables = {
  /** Values of type {@link KeyRecord}, keyed by id. */
  keys: "chat.keys",
  /** The value `true` for each key, keyed by `<owner>/<id>`. */
  keysByOwner: "chat.keys-of",
  /** Values of type {@link KeyUse}, keyed by the id of a key. */
  uses: "chat.key-uses",
} as const;

/**
 * Last use of a key, and its totals in the last day and month with usage. Keys
 * of the config have a record too.
 */
export interface KeyUse {
  readonly lastUsed: string;
  /** Day in UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly dayTokens: number;
  /** Month in UTC, such as `2026-01`. */
  readonly month: string;
  readonly monthTokens: number;
}

/** Settings of a new key. */
export interface NewKeySettings {
  readonly name: string;
  readonly owner: string;
  readonly models?: readonly string[] | undefined;
  readonly limits?: RateLimits | undefined;
  readonly budgets?: Budgets | undefined;
  /** Time in ISO 8601 format; a date means its start in UTC. */
  readonly expires?: string | undefined;
}

/**
 * Changes of a key. Absent members are unchanged, null removes a setting.
 * Members of `limits` and `budgets` are changed individually.
 */
export interface KeyPatch {
  readonly name?: string | undefined;
  readonly models?: readonly string[] | null | undefined;
  readonly limits?: Nullable<RateLimits> | null | undefined;
  readonly budgets?: Nullable<Budgets> | null | undefined;
  readonly expires?: string | null | undefined;
}

type Nullable<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined };

/** Created key. The key itself is returned only here. */
export interface CreatedKey extends StoredKey {
  readonly key: string;
}

/** Start of each API key of the chat service. */
export const KEY_PREFIX = "ck_";

/**
 * Creates a key.
 *
 * @param now milliseconds since 1970
 * @throws AdminError for an invalid setting
 */
export async function createKey(
  store: Pick<Store, "transaction">,
  settings: NewKeySettings,
  now: number,
): Promise<CreatedKey> {
  const { name, owner, models, expires } = settings;
  const key = randomKey(KEY_PREFIX);
  const hash = hashOf(key);
  const record = definedMembers({
    id: idOfHash(hash),
    hash,
    name: checkName(name),
    owner: checkOwner(owner),
    models: models === undefined ? undefined : checkModels(models),
    limits: checkCounts(settings.limits ?? {}, "limits", LIMITS),
    budgets: checkCounts(settings.budgets ?? {}, "budgets", BUDGETS),
    created: new Date(now).toISOString(),
    expires: expires === undefined ? undefined : checkExpiry(expires),
  }) as KeyRecord;
  if (record.expires !== undefined && record.expires <= record.created)
    throw new AdminError("expires must be in the future");
  await store.transaction(async (tx) => {
    tx.put(keyTables.keys, record.id, record);
    tx.put(keyTables.keysByOwner, `${owner}/${record.id}`, true);
  });
  return { ...publicPart(record), key };
}

/** Range of keys. Default: the first 100 of all keys. */
export interface KeySelection {
  readonly owner?: string | undefined;
  /** Id after which the list begins. */
  readonly after?: string | undefined;
  /** Maximum number of keys. Default: 100. */
  readonly limit?: number | undefined;
}

/** Returns keys in the order of their ids, including revoked and expired ones. */
export async function listKeys(
  store: StoreReader,
  { owner, after, limit = 100 }: KeySelection = {},
): Promise<readonly StoredKey[]> {
  const records =
    owner === undefined
      ? await recordsOfAll(store, after, limit)
      : await recordsOf(store, owner, after, limit);
  return Promise.all(records.map((record) => withUse(store, record)));
}

async function recordsOfAll(
  store: StoreReader,
  after: string | undefined,
  limit: number,
): Promise<readonly KeyRecord[]> {
  const entries = await store.list<KeyRecord>(keyTables.keys, {
    limit,
    ...(after === undefined ? {} : { after }),
  });
  return entries.map(({ value }) => value);
}

async function recordsOf(
  store: StoreReader,
  owner: string,
  after: string | undefined,
  limit: number,
): Promise<readonly KeyRecord[]> {
  if (!OWNER.test(owner)) return [];
  const prefix = `${owner}/`;
  const entries = await store.list(keyTables.keysByOwner, {
    prefix,
    limit,
    ...(after === undefined ? {} : { after: prefix + after }),
  });
  const records = await Promise.all(
    entries.map(({ key }) =>
      store.get<KeyRecord>(keyTables.keys, key.slice(prefix.length)),
    ),
  );
  return records.filter((record) => record !== undefined);
}

/** Returns a key; undefined if no key has this id. */
export async function getKey(
  store: StoreReader,
  id: string,
): Promise<StoredKey | undefined> {
  const record = await store.get<KeyRecord>(keyTables.keys, id);
  return record && withUse(store, record);
}

/**
 * Changes settings of a key.
 *
 * @returns the changed key
 * @throws AdminError if the key does not exist, is revoked, or a setting is
 *   invalid
 */
export async function updateKey(
  store: Store,
  id: string,
  patch: KeyPatch,
): Promise<StoredKey> {
  const record = await store.transaction(async (tx) => {
    const current = await requireKey(tx, id);
    if (current.revoked !== undefined)
      throw new AdminError(`the key ${id} is revoked and can't be changed`);
    const changed = changedRecord(current, patch);
    tx.put(keyTables.keys, id, changed);
    return changed;
  });
  return withUse(store, record);
}

function changedRecord(record: KeyRecord, patch: KeyPatch): KeyRecord {
  const { name, models, expires } = patch;
  return definedMembers({
    ...record,
    name: name === undefined ? record.name : checkName(name),
    models:
      models === undefined
        ? record.models
        : models === null
          ? undefined
          : checkModels(models),
    limits: checkCounts(merged(record.limits, patch.limits), "limits", LIMITS),
    budgets: checkCounts(
      merged(record.budgets, patch.budgets),
      "budgets",
      BUDGETS,
    ),
    expires:
      expires === undefined
        ? record.expires
        : expires === null
          ? undefined
          : checkExpiry(expires),
  }) as KeyRecord;
}

/** Returns settings with the changes of a patch; null removes all settings. */
function merged<T extends object>(
  settings: T,
  patch: Nullable<T> | null | undefined,
): Partial<T> {
  if (patch === undefined) return settings;
  if (patch === null) return {};
  const changes = Object.entries(patch).filter(
    ([, value]) => value !== undefined,
  );
  const all = { ...settings, ...Object.fromEntries(changes) };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null),
  ) as Partial<T>;
}

/**
 * Revokes a key. The time of an earlier revocation remains.
 *
 * @param now milliseconds since 1970
 * @throws AdminError if the key does not exist
 */
export async function revokeKey(
  store: Store,
  id: string,
  now: number,
): Promise<StoredKey> {
  const record = await store.transaction(async (tx) => {
    const current = await requireKey(tx, id);
    if (current.revoked !== undefined) return current;
    const revoked = { ...current, revoked: new Date(now).toISOString() };
    tx.put(keyTables.keys, id, revoked);
    return revoked;
  });
  return withUse(store, record);
}

async function requireKey(tx: Transaction, id: string): Promise<KeyRecord> {
  const record = await tx.get<KeyRecord>(keyTables.keys, id);
  if (record !== undefined) return record;
  throw new AdminError(
    `unknown key ${JSON.stringify(id.slice(0, 100))}; list keys with: gen chat key list`,
  );
}

/**
 * Returns the record of an API key; undefined if no key in the store has this
 * hash. The record can be expired or revoked.
 *
 * @param hash SHA-256 of the key in hexadecimal
 */
export async function findKey(
  store: StoreReader,
  hash: string,
): Promise<KeyRecord | undefined> {
  const record = await store.get<KeyRecord>(keyTables.keys, idOfHash(hash));
  return record !== undefined && isSameHash(hash, record.hash)
    ? record
    : undefined;
}

/** Returns a key without its hash, with the time of its last use. */
async function withUse(
  store: StoreReader,
  record: KeyRecord,
): Promise<StoredKey> {
  const use = await store.get<KeyUse>(keyTables.uses, record.id);
  return {
    ...publicPart(record),
    ...(use === undefined ? {} : { lastUsed: use.lastUsed }),
  };
}

function publicPart(record: KeyRecord): StoredKey {
  const { hash: _hash, ...key } = record;
  return key;
}

const NAME = /^[^\p{C}]{1,100}$/u;
const OWNER = /^[\p{L}\p{N}._@+-]{1,100}$/u;

/** Pattern for the names of models. */
export const MODEL_NAME: RegExp = /^[\x21-\x7e]{1,200}$/;

/** Maximum number of models to which a key can be restricted. */
const MAX_MODELS = 1000;

/** @throws AdminError for a name that is too long or has control characters */
export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new AdminError(
    "name must have 1 to 100 characters and no control characters",
  );
}

/** @throws AdminError for an invalid name of an owner */
export function checkOwner(owner: string): string {
  if (OWNER.test(owner)) return owner;
  throw new AdminError(
    "owner must have 1 to 100 letters, digits or characters of . _ @ + -",
  );
}

function checkModels(models: readonly string[]): readonly string[] {
  if (models.length > MAX_MODELS)
    throw new AdminError(`models must have at most ${MAX_MODELS} names`);
  if (models.length === 0 || !models.every((name) => MODEL_NAME.test(name)))
    throw new AdminError(
      "models must have at least one name; a name has 1 to 200 visible ASCII characters without spaces",
    );
  return [...new Set(models)];
}

const LIMITS = ["requestsPerMinute", "tokensPerMinute"] as const;
const BUDGETS = ["tokensPerDay", "tokensPerMonth"] as const;

/** Maximum value of limits and budgets, in requests or tokens. */
export const COUNT_BOUNDS: Readonly<
  Record<"limits" | "budgets", { readonly min: number; readonly max: number }>
> = {
  limits: { min: 1, max: 1_000_000_000 },
  budgets: { min: 0, max: 1_000_000_000_000 },
};

function checkCounts<T extends object>(
  counts: T,
  member: "limits" | "budgets",
  known: readonly string[],
): T {
  const { min, max } = COUNT_BOUNDS[member];
  for (const [name, value] of Object.entries(counts) as [string, unknown][]) {
    if (value === undefined) continue;
    if (!known.includes(name))
      throw new AdminError(
        `unknown member of ${member}: ${JSON.stringify(name.slice(0, 100))}; allowed members: ${known.join(", ")}`,
      );
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
      throw new AdminError(
        `${member}.${name} must be an integer from ${min} to ${max}`,
      );
  }
  return counts;
}

/** Pattern for a date, optionally with a time and its offset. */
const TIME =
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i;

/** Returns a time in ISO 8601 format in UTC. */
function checkExpiry(text: string): string {
  const time = TIME.test(text) ? new Date(text) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime()))
    return time.toISOString();
  throw new AdminError(
    "expires must be a date or time such as 2026-12-31 or 2026-12-31T18:00:00Z",
  );
}
