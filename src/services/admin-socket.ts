import { chmodSync, mkdirSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe } from "./log.js";
import { AdminError, type AdminCommand } from "./service.js";
import type { Json } from "./store/store.js";

/** An administrator's command, and the service that it is for. */
export interface Addressed extends AdminCommand {
  readonly service: string;
}

type Reply =
  | { readonly result: Json }
  | { readonly error: string; readonly problems: readonly string[] };

/** Characters of a command at most: a file to import is in it. */
const MOST = 256 * 1024 * 1024;

/** Milliseconds that commands under way get when the server ends. */
const PATIENCE = 5_000;

/** Bytes that the path of a socket may have on all systems. */
const LONGEST = 100;

/*
 * An embedded store belongs to the process that has it open. Administrators'
 * commands reach it through a socket in the data folder, which only the user
 * of the process can enter: `{service, operation, input}` one way, and
 * `{result}` or `{error, problems}` back, as JSON, each to the end of the stream.
 */
function socketOf(data: string): string {
  return path.join(data, "admin", "socket");
}

/**
 * Takes commands; the caller has the store of the folder open.
 *
 * @returns what stops it; undefined where the path is too long for a socket
 */
export async function serveAdmin(
  data: string,
  carryOut: (command: Addressed) => Promise<Json>,
): Promise<(() => Promise<void>) | undefined> {
  const socket = socketOf(data);
  if (Buffer.byteLength(socket) > LONGEST) return undefined;
  const folder = path.dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // Of a process that was killed: who is alive would have the store.
  rmSync(socket, { force: true });
  const open = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (connection) => {
    open.add(connection);
    connection.on("close", () => open.delete(connection));
    connection.on("error", () => connection.destroy());
    void answer(connection, carryOut);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  return async () => {
    // Who has not told its command by then does not hold the server up.
    const end = setTimeout(() => {
      for (const connection of open) connection.destroy();
    }, PATIENCE);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(end);
  };
}

async function answer(
  connection: net.Socket,
  carryOut: (command: Addressed) => Promise<Json>,
): Promise<void> {
  let reply: Reply;
  try {
    const command = JSON.parse(await readAll(connection)) as Addressed;
    reply = { result: await carryOut(command) };
  } catch (error) {
    if (connection.destroyed) return;
    reply =
      error instanceof AdminError
        ? { error: error.message, problems: error.problems }
        : { error: `internal: ${describe(error)}`, problems: [] };
  }
  connection.end(JSON.stringify(reply));
}

/** All that comes, up to a bound. An iterator would close the other direction with this one. */
function readAll(connection: net.Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    connection.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST) chunks.push(chunk);
      else reject(new AdminError("the command is too long"));
    });
    connection.on("end", () => resolve(Buffer.concat(chunks).toString()));
    connection.on("error", reject);
    connection.on("close", () => reject(new Error("the connection broke off")));
  });
}

/**
 * Sends a command to the process that has the folder's store open.
 *
 * @returns undefined where there is no such process
 * @throws AdminError for what can't be done
 */
export async function askRunning(
  data: string,
  command: Addressed,
): Promise<{ readonly result: Json } | undefined> {
  const connection = await connect(socketOf(data));
  if (connection === undefined) return undefined;
  connection.end(JSON.stringify(command));
  const text = await readAll(connection);
  if (text === "") throw new AdminError("the server ended before it answered");
  const reply = JSON.parse(text) as Reply;
  if ("error" in reply) throw new AdminError(reply.error, reply.problems);
  return reply;
}

function connect(socket: string): Promise<net.Socket | undefined> {
  if (Buffer.byteLength(socket) > LONGEST) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const connection = net.connect({ path: socket, allowHalfOpen: true });
    connection.once("connect", () => resolve(connection));
    connection.once("error", () => resolve(undefined));
  });
}
