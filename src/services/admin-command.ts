import { userInfo } from "node:os";
import path from "node:path";
import { sendToRunningServer, type ServiceCommand } from "./admin-socket.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { serviceDiagnostic } from "./config-file.js";
import {
  AdminError,
  type LogLine,
  type ServiceModule,
  type ServiceRow,
} from "./service.js";
import { openStore, type StoreLocation } from "./store/open.js";
import { StoreError, type Json, type Store } from "./store/store.js";

/**
 * Runs an administration command. If a running server has opened the store, the
 * command runs in that server, otherwise in this process.
 *
 * @throws AdminError if the command fails, StoreError if the store can't be
 *   opened
 */
export async function runAdminCommand(
  location: StoreLocation,
  row: ServiceRow,
  command: Omit<ServiceCommand, "service" | "actor">,
  log: (line: LogLine) => void = () => {},
): Promise<Json> {
  const actor = `local user ${localUser()}`;
  const serviceCommand = { ...command, actor, service: row.name };
  const { data, url } = location;
  const isShared = url !== undefined || data === undefined;
  const reply = isShared
    ? undefined
    : await sendToRunningServer(data, serviceCommand);
  if (reply !== undefined) return reply.result;
  try {
    return await runLocally(location, row, serviceCommand, log);
  } catch (error) {
    // A server may have opened the store after the first attempt to connect to
    // a server failed.
    const isLocked = error instanceof StoreError && error.reason === "locked";
    const lateReply =
      isLocked &&
      data !== undefined &&
      (await sendToRunningServer(data, serviceCommand));
    if (lateReply === false || lateReply === undefined) throw error;
    return lateReply.result;
  }
}

async function runLocally(
  location: StoreLocation,
  row: ServiceRow,
  command: ServiceCommand,
  log: (line: LogLine) => void,
): Promise<Json> {
  const module = await row.load();
  const store = await openStore(location);
  try {
    return await runServiceCommand(
      module,
      { store, data: location.data, log },
      command,
    );
  } finally {
    await store.close();
  }
}

/** Returns the name of the user of this process; empty if it has no name. */
function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Store, folder and log of an administration command. */
interface CommandContext {
  readonly store: Store;
  readonly data: string | undefined;
  readonly log?: (line: LogLine) => void;
}

export async function runServiceCommand(
  module: ServiceModule,
  { store, data, log = () => {} }: CommandContext,
  { service, operation, input, actor }: ServiceCommand,
): Promise<Json> {
  if (module.admin === undefined)
    throw new AdminError(
      `the service ${service} has no administration commands`,
    );
  const folder = data === undefined ? undefined : path.join(data, service);
  return module.admin(
    { store, now: Date.now, log, folder, config: undefined },
    { operation, input, actor },
  );
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
  return undefined;
}
