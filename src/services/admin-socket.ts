import { chmodSync, mkdirSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { describeError } from "./log.js";
import { AdminError, type AdminCommand } from "./service.js";
import type { Json } from "./store/store.js";

/** Administration command and the service that runs it. */
export interface ServiceCommand extends AdminCommand {
  readonly service: string;
}

type Reply =
  | { readonly result: Json }
  | { readonly error: string; readonly problems: readonly string[] };

/**
 * Maximum size of a command in bytes. A command can contain a file to import.
 */
const MAX_COMMAND_BYTES = 256 * 1024 * 1024;

/** Grace period in milliseconds for running commands when the server stops. */
const CLOSE_TIMEOUT = 5_000;

/**
 * Maximum length of a socket path in bytes. All supported systems accept paths
 * of this length.
 */
const MAX_SOCKET_PATH = 100;

/*
 * An embedded store can be opened by only one process, so administration
 * commands are sent to this process through a socket. The socket is in a
 * subfolder of the data folder; the subfolder has mode 0700. The request is
 * `{service, operation, input}`; the response is `{result}` or `{error,
 * problems}`. Both are sent as JSON; the end of the stream marks the end of the
 * JSON text.
 */
function socketOf(data: string): string {
  return path.join(data, "admin", "socket");
}

/**
 * Listens for administration commands. The caller must have opened the store in
 * the data folder.
 *
 * @returns function that stops listening; undefined if the socket path is too
 *   long
 */
export async function listenForCommands(
  data: string,
  runCommand: (command: ServiceCommand) => Promise<Json>,
): Promise<(() => Promise<void>) | undefined> {
  const socket = socketOf(data);
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH) return undefined;
  const folder = path.dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // The caller has opened the store, so no other server is running. An existing
  // socket file was therefore left behind by a killed process.
  rmSync(socket, { force: true });
  const connections = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
    connection.on("error", () => connection.destroy());
    void respond(connection, runCommand);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  return async () => {
    // A client whose command is incomplete must not delay the shutdown.
    const timer = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, CLOSE_TIMEOUT);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(timer);
  };
}

async function respond(
  connection: net.Socket,
  runCommand: (command: ServiceCommand) => Promise<Json>,
): Promise<void> {
  let reply: Reply;
  try {
    const command = JSON.parse(await readAll(connection)) as ServiceCommand;
    reply = { result: await runCommand(command) };
  } catch (error) {
    if (connection.destroyed) return;
    reply =
      error instanceof AdminError
        ? { error: error.message, problems: error.problems }
        : { error: `internal: ${describeError(error)}`, problems: [] };
  }
  connection.end(JSON.stringify(reply));
}

/**
 * Reads all data from a connection, up to the maximum size. The async iterator
 * of the connection is not used, because it would also close the writable side.
 */
function readAll(connection: net.Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    connection.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_COMMAND_BYTES) chunks.push(chunk);
      else
        reject(
          new AdminError(
            `the command must have at most ${MAX_COMMAND_BYTES} bytes`,
          ),
        );
    });
    connection.on("end", () => resolve(Buffer.concat(chunks).toString()));
    connection.on("error", reject);
    connection.on("close", () =>
      reject(new Error("the connection was closed before the message ended")),
    );
  });
}

/**
 * Sends a command to the process that has opened the store in the data folder.
 *
 * @returns undefined if no such process exists
 * @throws AdminError if the command fails
 */
export async function sendToRunningServer(
  data: string,
  command: ServiceCommand,
): Promise<{ readonly result: Json } | undefined> {
  const connection = await connect(socketOf(data));
  if (connection === undefined) return undefined;
  connection.end(JSON.stringify(command));
  const text = await readAll(connection);
  if (text === "")
    throw new AdminError("the server stopped before it responded");
  const reply = JSON.parse(text) as Reply;
  if ("error" in reply) throw new AdminError(reply.error, reply.problems);
  return reply;
}

function connect(socket: string): Promise<net.Socket | undefined> {
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH)
    return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const connection = net.connect({ path: socket, allowHalfOpen: true });
    connection.once("connect", () => resolve(connection));
    connection.once("error", () => resolve(undefined));
  });
}
