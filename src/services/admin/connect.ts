import { userInfo } from "node:os";
import {
  type AdminClient,
  createAdmin,
  isApiError,
} from "../../../generated/admin/v1/index.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { serviceDiagnostic } from "../config-file.js";
import { AdminError, type LogLine } from "../service.js";
import { guardedStore } from "../store/guarded.js";
import { openStore, type StoreLocation } from "../store/open.js";
import { StoreError, type Store } from "../store/store.js";
import { adminServer } from "./index.js";
import { readLocal, USER_HEADER } from "./local.js";

/** Server or store that a command administers. */
export interface AdminTarget extends StoreLocation {
  /** Root URL of the admin API of a running server. */
  readonly admin?: string | undefined;
  /** Token for the admin API at this URL. */
  readonly token?: string | undefined;
}

/** Error of an admin API that can't be used. */
export class AdminUnreachableError extends Error {}

/**
 * Runs a command with a client of the admin API: of a running server, or of a
 * server in this process that uses the store.
 *
 * @param log receives the audit events of a server in this process
 * @throws AdminError if the server rejects the request, StoreError if the store
 *   is unavailable, AdminUnreachableError if the server can't be used
 */
export async function withAdmin<T>(
  target: AdminTarget,
  log: (line: LogLine) => void,
  run: (admin: AdminClient) => Promise<T>,
): Promise<T> {
  const { admin, token } = target;
  if (admin !== undefined) return runRemotely(admin, { auth: token }, run);
  const store = await openOrFind(target);
  return "origin" in store
    ? runRemotely(
        store.origin,
        { auth: store.token, headers: { [USER_HEADER]: localUser() } },
        run,
      )
    : runInProcess(store, log, run);
}

/** Milliseconds for which a command waits for the store. */
const WAIT = 10_000;

/** Milliseconds between two attempts to open the store. */
const DELAY = 100;

/**
 * Opens the store, or returns the address of the process that has opened it. If
 * this process is starting or stopping, or is another command, waits for it.
 *
 * @throws StoreError if the store can't be opened
 */
async function openOrFind(
  target: AdminTarget,
): Promise<Store | NonNullable<ReturnType<typeof readLocal>>> {
  const end = performance.now() + WAIT;
  for (;;) {
    try {
      return await openStore(target);
    } catch (error) {
      const isLocked = error instanceof StoreError && error.reason === "locked";
      if (!isLocked) throw error;
      // The lock shows that the file is not one of a killed process.
      const local = readLocal(target.data!);
      if (local !== undefined) return local;
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, DELAY));
    }
  }
}

async function runRemotely<T>(
  rootUrl: string,
  options: Parameters<typeof createAdmin>[0],
  run: (admin: AdminClient) => Promise<T>,
): Promise<T> {
  try {
    return await run(createAdmin({ ...options, rootUrl }));
  } catch (error) {
    throw convertError(error);
  }
}

async function runInProcess<T>(
  store: Store,
  log: (line: LogLine) => void,
  run: (admin: AdminClient) => Promise<T>,
): Promise<T> {
  let failure: string | undefined;
  const guarded = guardedStore(store, (_, reason) => {
    failure = reason ?? failure;
  });
  const name = `local user ${localUser()}`.trimEnd();
  const server = adminServer({ store: guarded, now: Date.now, log }, () => ({
    name,
  }));
  const client = createAdmin({
    rootUrl: "http://localhost/",
    auth: "local",
    retry: false,
    fetch: async (url, init) => server.fetch(new Request(url, init)),
  });
  try {
    return await run(client);
  } catch (error) {
    if (failure !== undefined && isApiError(error) && error.status === 503)
      throw new StoreError("unavailable", failure);
    throw convertError(error);
  } finally {
    await server.close();
    await store.close();
  }
}

/** Converts an error of the client to an error for the user of a command. */
function convertError(error: unknown): unknown {
  if (!isApiError(error)) return error;
  const { kind, status, problems = [], serverMessage, cause } = error;
  if (kind === "request")
    return new AdminError(
      cause instanceof Error ? cause.message : error.message,
    );
  if (status === 401)
    return new AdminUnreachableError("the server does not know the token");
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  if (!isRefusal || serverMessage === undefined)
    return new AdminUnreachableError(serverMessage ?? error.message);
  const texts = problems.map(({ message = "" }) => message);
  return new AdminError(
    serverMessage,
    texts.length === 1 && texts[0] === serverMessage ? [] : texts,
    status,
  );
}

/** Returns the name of the user of this process; empty if it has no name. */
function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/**
 * Converts an expected error of a command to a diagnostic. Returns undefined
 * for other errors, which are bugs.
 */
export function adminDiagnostic(error: unknown): Diagnostic | undefined {
  if (error instanceof StoreError)
    return serviceDiagnostic("store-unavailable", error.message);
  if (error instanceof AdminError)
    return serviceDiagnostic("admin-refused", error.message);
  if (error instanceof AdminUnreachableError)
    return serviceDiagnostic("admin-unreachable", error.message);
  return undefined;
}
