import type {
  ChatKey,
  ChatKeyInput,
  ChatUsage,
} from "../../../generated/admin/v1/schemas.js";
import type { ChatService } from "../../../generated/admin/v1/server.js";
import type { MergePatch } from "../../../generated/runtime/server/index.js";
import { definedMembers } from "../../platform/defined-members.js";
import {
  createKey,
  getKey,
  listKeys,
  revokeKey,
  updateKey,
  type KeyPatch,
  type StoredKey,
} from "../chat/stored-keys.js";
import { cursorOf, listUsage, type UsageRow } from "../chat/usage-records.js";
import { AdminError } from "../service.js";
import type { StoreReader } from "../store/store.js";
import {
  auditChange,
  differenceOf,
  type AdminContext,
  type Operator,
} from "./context.js";
import { cutPage, invalidToken, positionOf } from "./paging.js";

/** Members of a key that audit events show. */
const SHOWN = ["name", "models", "limits", "budgets", "expires"];

/** Returns the handlers of the chat service's keys and usage. */
export function chatHandlers(context: AdminContext): ChatService<Operator> {
  const { store } = context;
  return {
    keys: {
      async list({ params: { owner, pageSize, pageToken } }) {
        const after =
          pageToken === undefined ? undefined : positionOf(pageToken);
        if (after !== undefined && !/^[\da-f]{16}$/.test(after))
          throw invalidToken();
        const limit = pageSize + 1;
        const found = await listKeys(store, { owner, after, limit });
        const { values, ...page } = cutPage(
          found,
          pageSize,
          ({ id }) => id,
          keyJson,
        );
        return { keys: [...values], ...page };
      },
      async get({ params: { id } }) {
        return keyJson(await requireKey(store, id));
      },
      async create(call) {
        const { name, owner, models, limits, budgets, expires_at } = call.body;
        const settings = {
          name,
          owner,
          models: models ?? undefined,
          limits: limitsOf(limits) as StoredKey["limits"],
          budgets: budgetsOf(budgets) as StoredKey["budgets"],
          expires: expires_at ?? undefined,
        };
        const { key, ...created } = await createKey(
          store,
          settings,
          context.now(),
        );
        auditChange(context, call, { target: owner, after: created.id });
        return { key, details: keyJson(created) };
      },
      async patch(call) {
        const { params, body = {} } = call;
        const before = await requireKey(store, params.id);
        if (before.revoked !== undefined)
          throw new AdminError(
            `the key ${params.id} is revoked and can't be changed`,
            [],
            409,
          );
        const after = await updateKey(store, params.id, patchOf(body, before));
        auditChange(context, call, {
          target: params.id,
          ...differenceOf(before, after, SHOWN),
        });
        return keyJson(after);
      },
      async revoke(call) {
        const { id } = call.params;
        const { revoked } = await requireKey(store, id);
        const key = await revokeKey(store, id, context.now());
        if (revoked === undefined)
          auditChange(context, call, { target: key.owner, before: id });
        return keyJson(key);
      },
    },
    usage: {
      async list({ params: { pageSize, pageToken, ...selection } }) {
        const after =
          pageToken === undefined ? undefined : positionOf(pageToken);
        const { from, to, key, owner, model } = selection;
        const found = await listUsage(store, {
          from,
          to,
          key,
          owner,
          model,
          after,
          limit: pageSize + 1,
        });
        const { values, ...page } = cutPage(
          found,
          pageSize,
          cursorOf,
          usageJson,
        );
        return { usage: [...values], ...page };
      },
    },
  };
}

/** @throws AdminError if the key does not exist */
async function requireKey(store: StoreReader, id: string): Promise<StoredKey> {
  const key = await getKey(store, id);
  if (key !== undefined) return key;
  throw new AdminError(
    `unknown key ${id}; list keys with: gen chat key list`,
    [],
    404,
  );
}

function keyJson(key: StoredKey): ChatKey {
  const { limits, budgets, expires, revoked, lastUsed } = key;
  return {
    id: key.id,
    name: key.name,
    owner: key.owner,
    ...(key.models === undefined ? {} : { models: [...key.models] }),
    limits: definedMembers({
      requests_per_minute: limits.requestsPerMinute,
      tokens_per_minute: limits.tokensPerMinute,
    }),
    budgets: definedMembers({
      tokens_per_day: budgets.tokensPerDay,
      tokens_per_month: budgets.tokensPerMonth,
    }),
    created_at: key.created,
    ...definedMembers({
      expires_at: expires,
      revoked_at: revoked,
      last_used_at: lastUsed,
    }),
  };
}

type Body = MergePatch<ChatKeyInput>;

function patchOf(body: Body, { owner }: StoredKey): KeyPatch {
  if (body.owner !== undefined && body.owner !== owner)
    throw new AdminError("owner can't be changed; omit it");
  if (body.name === null) throw new AdminError("name must be a string");
  return {
    name: body.name,
    models: body.models,
    limits: limitsOf(body.limits),
    budgets: budgetsOf(body.budgets),
    expires: body.expires_at,
  };
}

function limitsOf(limits: Body["limits"]): KeyPatch["limits"] {
  if (limits === undefined || limits === null) return limits;
  return {
    requestsPerMinute: limits.requests_per_minute,
    tokensPerMinute: limits.tokens_per_minute,
  };
}

function budgetsOf(budgets: Body["budgets"]): KeyPatch["budgets"] {
  if (budgets === undefined || budgets === null) return budgets;
  return {
    tokensPerDay: budgets.tokens_per_day,
    tokensPerMonth: budgets.tokens_per_month,
  };
}

function usageJson(row: UsageRow): ChatUsage {
  const { day, key, name, owner, model, requests } = row;
  return {
    day,
    key,
    name,
    owner,
    model,
    requests,
    estimated_requests: row.estimatedRequests,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    total_tokens: row.totalTokens,
  };
}
