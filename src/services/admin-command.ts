import path from "node:path";
import { askRunning, type Addressed } from "./admin-socket.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { finding } from "./config-file.js";
import { AdminError, type ServiceModule, type ServiceRow } from "./service.js";
import { openStore, type StorePlace } from "./store/open.js";
import { StoreError, type Json, type Store } from "./store/store.js";

/**
 * Carries out an administrator's command: by the server that has the store
 * open, else here.
 *
 * @throws AdminError for what can't be done, StoreError where the store can't be opened
 */
export async function administer(
  place: StorePlace,
  row: ServiceRow,
  command: Omit<Addressed, "service">,
): Promise<Json> {
  const addressed = { ...command, service: row.name };
  const { data, url } = place;
  const isShared = url !== undefined || data === undefined;
  const told = isShared ? undefined : await askRunning(data, addressed);
  if (told !== undefined) return told.result;
  try {
    return await here(place, row, addressed);
  } catch (error) {
    // The server has come up just now, or is slow.
    const isLocked = error instanceof StoreError && error.reason === "locked";
    const late =
      isLocked && data !== undefined && (await askRunning(data, addressed));
    if (late === false || late === undefined) throw error;
    return late.result;
  }
}

async function here(
  place: StorePlace,
  row: ServiceRow,
  command: Addressed,
): Promise<Json> {
  const module = await row.load();
  const store = await openStore(place);
  try {
    return await carryOut(module, { store, data: place.data }, command);
  } finally {
    await store.close();
  }
}

/** Gives a command to its service. */
export async function carryOut(
  module: ServiceModule,
  { store, data }: { readonly store: Store; readonly data: string | undefined },
  { service, operation, input }: Addressed,
): Promise<Json> {
  if (module.admin === undefined)
    throw new AdminError(`the service ${service} takes no commands`);
  const folder = data === undefined ? undefined : path.join(data, service);
  return module.admin(
    { store, now: Date.now, log: () => {}, folder, config: undefined },
    { operation, input },
  );
}

/** Why a command was not carried out; undefined for a bug. */
export function refusal(error: unknown): Diagnostic | undefined {
  if (error instanceof StoreError)
    return finding("store-unavailable", error.message);
  if (error instanceof AdminError)
    return finding("admin-refused", error.message);
  return undefined;
}
