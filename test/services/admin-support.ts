import {
  createAdmin,
  isApiError,
  type AdminClient,
} from "../../generated/admin/v1/index.js";
import { adminServer } from "../../src/services/admin/index.js";
import { AdminError, type LogLine } from "../../src/services/service.js";
import { guardedStore } from "../../src/services/store/guarded.js";
import type { Json, Store } from "../../src/services/store/store.js";

/** Client of the admin API for a store, in this process. */
export function adminOf(
  store: Store,
  {
    log = () => {},
    now = Date.now,
    name = "ops",
  }: {
    readonly log?: (line: LogLine) => void;
    readonly now?: () => number;
    readonly name?: string;
  } = {},
): AdminClient {
  const context = { store: guardedStore(store, () => {}), now, log };
  const server = adminServer(context, () => ({ name }));
  return createAdmin({
    rootUrl: "http://localhost/",
    auth: "token",
    retry: false,
    fetch: async (url, init) => server.fetch(new Request(url, init)),
  });
}

type Input = Readonly<Record<string, string>>;

/** Calls of commands, keyed by the name of the command. */
const operations: Readonly<
  Record<string, (admin: AdminClient, input: Input) => Promise<unknown>>
> = {
  "owner add": (admin, { balance, profile, ...input }) =>
    admin.owners.create({
      requestBody: {
        ...(input as { username: string; email: string }),
        ...(balance === undefined ? {} : { balance: Number(balance) }),
        ...(profile === undefined
          ? {}
          : { profile: JSON.parse(profile) as object }),
      },
    }),
  "key create": (admin, { owner = "" }) =>
    admin.owners.keys.create({ owner, requestBody: {} }),
  "key rotate": (admin, { owner = "", ...requestBody }) =>
    admin.owners.keys.rotate({ owner, requestBody }),
  "key revoke": (admin, { owner = "", ...requestBody }) =>
    admin.owners.keys.revoke({ owner, requestBody }),
  "import items": (admin, input) =>
    admin.owners.items.import(importOf(input), { upload: "media" }),
  "import purchases": (admin, input) =>
    admin.owners.purchases.import(importOf(input), { upload: "media" }),
};

function importOf({ owner = "", text = "", format, partial }: Input): {
  owner: string;
  partial: boolean;
  media: { body: string; mimeType: string };
} {
  const mimeType = format === "csv" ? "text/csv" : "application/json";
  return {
    owner,
    partial: partial === "true",
    media: { body: text, mimeType },
  };
}

/**
 * Runs a command through the admin API.
 *
 * @throws AdminError if the API rejects it
 */
export async function runAdmin(
  admin: AdminClient,
  operation: string,
  input: Json,
): Promise<Json> {
  try {
    const run = operations[operation]!;
    return (await run(admin, (input ?? {}) as Input)) as Json;
  } catch (error) {
    if (!isApiError(error) || (error.status ?? 500) >= 500) throw error;
    const problems = error.problems ?? [];
    throw new AdminError(
      error.serverMessage ?? error.message,
      problems.map(({ message = "" }) => message),
      error.status,
    );
  }
}
