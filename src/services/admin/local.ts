import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { AuthRequest } from "../../../generated/runtime/server/index.js";
import { isObject } from "../../diagnostics/json.js";
import { CACHE_FILE, replaceFile } from "../../platform/replace-file.js";
import { listen } from "../host.js";
import { hashOfToken } from "./config.js";
import type { AdminContext } from "./context.js";
import { adminService } from "./index.js";
import { tokenCheck } from "./tokens.js";

/** Address and token of the process that has opened a data folder. */
export interface LocalAdmin {
  readonly origin: string;
  readonly token: string;
}

/**
 * Header with the name of the local user for audit events. It is used only with
 * the token of a data folder: who can read the file can read the data itself.
 */
export const USER_HEADER = "x-gen-user";

/** Maximum number of connections of commands. */
const CONNECTIONS = 100;

function fileOf(data: string): string {
  return path.join(data, "admin.json");
}

/**
 * Listens for commands on a free port of the loopback interface, because an
 * embedded store can be opened by only one process. Origin and token are in the
 * file `admin.json` of the data folder, which only the user of this process can
 * read. The caller must have opened the store.
 *
 * @returns function that removes the file and stops listening after a grace
 *   period in milliseconds for requests in flight
 */
export async function listenLocally(
  data: string,
  context: AdminContext,
): Promise<(grace: number) => Promise<void>> {
  const token = randomBytes(32).toString("base64url");
  const tokens = [{ name: "local user", hash: hashOfToken(token) }];
  const service = adminService(
    context,
    tokenCheck(() => tokens, context.now, localOperator),
  );
  const host = await listen([service], {
    names: [],
    log: context.log,
    connections: CONNECTIONS,
  });
  const text = JSON.stringify({
    origin: host.origin,
    token,
  } satisfies LocalAdmin);
  try {
    replaceFile(fileOf(data), `${text}\n`, CACHE_FILE);
  } catch (error) {
    await host.close();
    throw error;
  }
  return async (grace) => {
    // Commands that start now wait until the store is closed, and open it.
    rmSync(fileOf(data), { force: true });
    host.update({ names: [], connections: CONNECTIONS, grace });
    await host.close();
  };
}

function localOperator(
  { name }: { readonly name: string },
  { request }: AuthRequest,
): { readonly name: string } {
  const user = request.header(USER_HEADER) ?? "";
  return { name: /^[\w.@\\ -]{1,100}$/.test(user) ? `${name} ${user}` : name };
}

/**
 * Returns the address of the process that has opened a data folder; undefined if
 * there is none.
 */
export function readLocal(data: string): LocalAdmin | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(data), "utf8"));
    if (!isObject(value)) return undefined;
    const { origin, token } = value as Record<string, unknown>;
    return typeof origin === "string" && typeof token === "string"
      ? { origin, token }
      : undefined;
  } catch {
    return undefined;
  }
}
