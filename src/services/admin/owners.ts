import type {
  OwnersKeysService,
  OwnersService,
} from "../../../generated/admin/v1/server.js";
import type { Key } from "../../../generated/admin/v1/schemas.js";
import { type KeyUse, type Owner, tables } from "../marketplace/data.js";
import {
  changeExpiry,
  createKey,
  type KeyRecord,
  type NewKey,
  requireOwner,
  revokeKeys,
  rotateKey,
} from "../marketplace/keys.js";
import { addOwner, changeOwner, ownerJson } from "../marketplace/owners.js";
import type { StoreReader } from "../store/store.js";
import {
  auditChange,
  differenceOf,
  timeOf,
  type AdminContext,
  type Operator,
} from "./context.js";
import { pageOf } from "./paging.js";

/** Members of an owner that audit events show. */
const SHOWN = ["balance", "currency", "suspendedAt"];

/** Returns the handlers of owners, except for their nested resources. */
export function ownerHandlers(context: AdminContext): OwnersService<Operator> {
  const { store } = context;
  return {
    async list({ params }) {
      const { values, ...page } = await pageOf<Owner>(
        store,
        { table: tables.owners },
        params,
      );
      return { owners: values.map(([, owner]) => ownerJson(owner)), ...page };
    },
    async get({ params: { owner } }) {
      await requireOwner(store, owner);
      return ownerJson((await store.get<Owner>(tables.owners, owner))!);
    },
    async create(call) {
      const owner = await addOwner(store, call.body, timeOf(context));
      const { username } = owner;
      auditChange(context, call, { target: username, after: username });
      return ownerJson(owner);
    },
    async patch(call) {
      const { params, body = {} } = call;
      const now = timeOf(context);
      const { before, after } = await changeOwner(
        store,
        params.owner,
        body,
        now,
      );
      const difference = differenceOf(before, after, SHOWN);
      auditChange(context, call, { target: params.owner, ...difference });
      return ownerJson(after);
    },
  };
}

/** Returns the handlers of the keys of owners. */
export function ownerKeyHandlers(
  context: AdminContext,
): OwnersKeysService<Operator> {
  const { store } = context;
  return {
    async list({ params }) {
      const { owner } = params;
      await requireOwner(store, owner);
      const prefix = `${owner}/`;
      const { values, ...page } = await pageOf<true>(
        store,
        { table: tables.keysByOwner, prefix },
        params,
      );
      const ids = values.map(([key]) => key.slice(prefix.length));
      const keys = await Promise.all(ids.map((id) => keyOf(store, id)));
      return { keys: keys.filter((key) => key !== undefined), ...page };
    },
    async create(call) {
      const { params, body = {} } = call;
      const created = await createKey(store, {
        owner: params.owner,
        createdAt: timeOf(context),
        expiresAt: timeIn(body.expires_at),
      });
      auditChange(context, call, { target: params.owner, after: created.id });
      return newKeyJson(created);
    },
    async patch(call) {
      const { owner, id } = call.params;
      const { expires_at } = call.body ?? {};
      if (expires_at !== undefined) {
        const expiresAt = timeIn(expires_at);
        const record = await changeExpiry(store, owner, id, expiresAt);
        auditChange(context, call, {
          target: `${owner}/${id}`,
          before: record.expiresAt ?? null,
          after: expiresAt ?? null,
        });
      }
      const key = await keyOf(store, id);
      return key ?? { id };
    },
    async rotate(call) {
      const { params, body = {} } = call;
      const created = await rotateKey(store, body.id, {
        owner: params.owner,
        createdAt: timeOf(context),
        expiresAt: timeIn(body.expires_at),
      });
      const { id, revoked } = created;
      auditChange(context, call, {
        target: params.owner,
        before: revoked,
        after: id,
      });
      return { ...newKeyJson(created), revoked: [...revoked] };
    },
    async revoke(call) {
      const { params, body = {} } = call;
      const revoked = await revokeKeys(store, params.owner, body.id);
      auditChange(context, call, { target: params.owner, before: revoked });
      return { revoked: [...revoked] };
    },
  };
}

/** Returns a time of a request in ISO 8601 format in UTC. */
function timeIn(value: string | null | undefined): string | undefined {
  return value === undefined || value === null
    ? undefined
    : new Date(value).toISOString();
}

/** Returns the JSON of a new key with its times. */
function newKeyJson({ id, key, createdAt, expiresAt }: NewKey): {
  id: string;
  key: string;
  created_at: string;
  expires_at?: string;
} {
  return {
    id,
    key,
    created_at: createdAt,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

async function keyOf(store: StoreReader, id: string): Promise<Key | undefined> {
  const [record, use] = await Promise.all([
    store.get<KeyRecord>(tables.keys, id),
    store.get<KeyUse>(tables.keyUses, id),
  ]);
  if (record === undefined) return undefined;
  const { createdAt, expiresAt } = record;
  return {
    id,
    created_at: createdAt,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(use === undefined ? {} : { last_used_at: use.lastUsedAt }),
  };
}
