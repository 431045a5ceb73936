import { createAdminServer } from "../../../generated/admin/v1/server.js";
import type { Server } from "../../../generated/runtime/server/index.js";
import { requestLog } from "../log.js";
import type { Service } from "../service.js";
import { chatHandlers } from "./chat.js";
import type { AdminContext } from "./context.js";
import { itemHandlers, purchaseHandlers } from "./items.js";
import { migrationHandlers } from "./migrations.js";
import { ownerHandlers, ownerKeyHandlers } from "./owners.js";
import type { Authenticate } from "./tokens.js";

/**
 * Limits of requests: size of the body in bytes, nesting depth of the body, and
 * number of calls in a batch. The description limits the size of imports.
 */
const LIMITS = { body: 1024 * 1024, depth: 20, batch: 100 };

/**
 * Returns the server of the admin API. It changes only the store, so it works
 * for all services, also for those that other processes run.
 */
export function adminServer(
  context: AdminContext,
  authenticate: Authenticate,
): Server {
  return createAdminServer(
    {
      owners: {
        ...ownerHandlers(context),
        keys: ownerKeyHandlers(context),
        items: itemHandlers(context),
        purchases: purchaseHandlers(context),
      },
      chat: chatHandlers(context),
      migrations: migrationHandlers(context),
    },
    {
      ...requestLog,
      authenticate,
      limits: LIMITS,
      unknownFields: "reject",
      unknownParameters: "reject",
      headers: () => ({ "cache-control": "no-store" }),
    },
  );
}

/** Returns the admin API as a service of a host. */
export function adminService(
  context: AdminContext,
  authenticate: Authenticate,
): Service & { readonly name: string } {
  const server = adminServer(context, authenticate);
  return {
    name: "admin",
    paths: ["/admin/", "/upload/admin/"],
    handle: (request) => server.handle(request),
    close: (grace) => server.close(grace),
  };
}
