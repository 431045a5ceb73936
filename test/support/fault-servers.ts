import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Request as a fault server sees it. */
export interface SeenRequest {
  readonly target: string;
  /** Request line and headers. */
  readonly head: string;
}

/** Server whose responses are the bytes that a test chooses. */
export interface RawServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: SeenRequest[];
}

/**
 * Starts a server on a loopback address until the test ends.
 * @param respond writes the response; the socket stays open unless it ends it
 */
export async function rawServer(
  respond: (socket: Socket, request: SeenRequest) => void,
): Promise<RawServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let head = "";
    socket.on("data", (chunk: Buffer) => {
      const isComplete = head.includes("\r\n\r\n");
      if (isComplete) return;
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const request = { target: head.split(" ")[1] ?? "", head };
      requests.push(request);
      respond(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, requests };
}

/** Formats a response with a complete body. */
export function responseText(
  status: string,
  headers: Readonly<Record<string, string | number>>,
  body: Uint8Array | string = "",
): Buffer {
  const bytes = Buffer.from(body);
  const fields = {
    "content-length": bytes.length,
    connection: "close",
    ...headers,
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}
