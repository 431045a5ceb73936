import type {
  OwnersItemsService,
  OwnersPurchasesService,
} from "../../../generated/admin/v1/server.js";
import type { ImportResponse } from "../../../generated/admin/v1/schemas.js";
import type { Media } from "../../../generated/runtime/server/index.js";
import { addLogFields } from "../log.js";
import {
  type StoredItem,
  type StoredPurchase,
  tables,
} from "../marketplace/data.js";
import type { Format } from "../marketplace/import/rows.js";
import {
  importItems,
  importPurchases,
  type ImportOptions,
  type ImportResult,
} from "../marketplace/imports.js";
import {
  addItem,
  changeItem,
  deleteItem,
  itemJson,
  requireItem,
} from "../marketplace/items.js";
import { requireOwner } from "../marketplace/keys.js";
import {
  changePurchase,
  deletePurchase,
  purchaseId,
  purchaseJson,
  recordSale,
  requirePurchase,
} from "../marketplace/sales.js";
import { AdminError } from "../service.js";
import type { Store } from "../store/store.js";
import {
  auditChange,
  differenceOf,
  timeOf,
  type AdminContext,
  type Operator,
} from "./context.js";
import { pageOf } from "./paging.js";

/** Members of an item that audit events show. */
const SHOWN_OF_ITEM = [
  "kind",
  "state",
  "hasSupport",
  "version",
  "regularPrice",
  "extendedPrice",
  "currency",
  "publishedAt",
];

/** Returns the handlers of the items of owners. */
export function itemHandlers(
  context: AdminContext,
): OwnersItemsService<Operator> {
  const { store } = context;
  return {
    async list({ params }) {
      await requireOwner(store, params.owner);
      const { values, ...page } = await pageOf<StoredItem>(
        store,
        { table: tables.items, prefix: `${params.owner}/`, isReverse: true },
        params,
      );
      return { items: values.map(([, item]) => itemJson(item)), ...page };
    },
    async get({ params: { owner, item_id } }) {
      return itemJson(await requireItem(store, owner, item_id));
    },
    async create(call) {
      const { owner } = call.params;
      const item = await addItem(store, owner, call.body, timeOf(context));
      auditChange(context, call, { target: owner, after: item.id });
      return itemJson(item);
    },
    async patch(call) {
      const { params, body = {} } = call;
      const { owner, item_id } = params;
      const { before, after } = await changeItem(store, owner, item_id, body);
      auditChange(context, call, {
        target: `${owner}/${item_id}`,
        ...differenceOf(before, after, SHOWN_OF_ITEM),
      });
      return itemJson(after);
    },
    async delete(call) {
      const { owner, item_id } = call.params;
      await deleteItem(store, owner, item_id);
      auditChange(context, call, { target: owner, before: item_id });
    },
    import: (call) => runImport(context, call, importItems),
  };
}

/** Members of a purchase that audit events show. */
const SHOWN_OF_PURCHASE = [
  "licenseType",
  "price",
  "currency",
  "supportedUntil",
  "isDownloaded",
  "date",
];

/** Returns the handlers of the purchases of owners. */
export function purchaseHandlers(
  context: AdminContext,
): OwnersPurchasesService<Operator> {
  const { store } = context;
  return {
    async list({ params }) {
      await requireOwner(store, params.owner);
      const { values, ...page } = await pageOf<StoredPurchase>(
        store,
        { table: tables.purchases, prefix: `${params.owner}/` },
        params,
      );
      const purchases = values.map(([, purchase]) => purchaseJson(purchase));
      return { purchases, ...page };
    },
    async get({ params: { owner, purchase_code }, request }) {
      hidePath(request);
      return purchaseJson(await requirePurchase(store, owner, purchase_code));
    },
    async create(call) {
      const { params, body } = call;
      const { owner, idempotencyKey: requestId } = params;
      const now = timeOf(context);
      const sale = { owner, json: body, requestId, now };
      const { purchase, isNew } = await recordSale(store, sale);
      if (isNew)
        auditChange(context, call, {
          target: owner,
          after: purchaseId(purchase.code),
        });
      return purchaseJson(purchase);
    },
    async patch(call) {
      const { params, body = {}, request } = call;
      hidePath(request);
      const { owner, purchase_code: code } = params;
      const { before, after } = await changePurchase(store, owner, code, body);
      auditChange(context, call, {
        target: `${owner}/${purchaseId(code)}`,
        ...differenceOf(before, after, SHOWN_OF_PURCHASE),
      });
      return purchaseJson(after);
    },
    async delete(call) {
      const { owner, purchase_code: code } = call.params;
      hidePath(call.request);
      await deletePurchase(store, owner, code);
      const before = purchaseId(code);
      auditChange(context, call, { target: owner, before });
    },
    import: (call) => runImport(context, call, importPurchases),
  };
}

/** Removes the path from the log line of a request, because it has a code. */
function hidePath(request: Parameters<typeof addLogFields>[0]): void {
  addLogFields(request, { path: undefined });
}

/** Maximum number of problems of a file in a response. */
const MAX_PROBLEMS = 10_000;

/** Members of a handler's argument that an import needs. */
interface ImportCall {
  readonly params: { readonly owner: string; readonly partial: boolean };
  readonly media?: Media | undefined;
  readonly auth: Operator;
  readonly method: { readonly id: string };
}

async function runImport(
  context: AdminContext,
  call: ImportCall,
  run: (store: Store, options: ImportOptions) => Promise<ImportResult>,
): Promise<ImportResponse> {
  const { owner, partial } = call.params;
  const { text, format } = await fileOf(call.media);
  const now = timeOf(context);
  try {
    const { imported, problems } = await run(context.store, {
      owner,
      text,
      format,
      isPartial: partial,
      now,
    });
    auditChange(context, call, { target: owner, after: imported });
    return { imported, problems: problems.slice(0, MAX_PROBLEMS) };
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    const { message, problems, status } = error;
    throw new AdminError(message, problems.slice(0, MAX_PROBLEMS), status);
  }
}

/** Formats by the media type of a file. */
const FORMATS: Readonly<Record<string, Format>> = {
  "text/csv": "csv",
  "application/json": "json",
};

/** @throws AdminError if the content is not UTF-8 text in a known format */
async function fileOf(
  media: Media | undefined,
): Promise<{ readonly text: string; readonly format: Format }> {
  const [type = ""] = media?.contentType.toLowerCase().split(";", 1) ?? [];
  const format = FORMATS[type.trim()];
  if (media === undefined || format === undefined)
    throw new AdminError(
      "send the file to the upload path with the type text/csv or application/json",
      [],
      media === undefined ? 400 : 415,
    );
  const bytes = await media.bytes();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, format };
  } catch {
    throw new AdminError("the file must be UTF-8 text");
  }
}
