import http from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeListener } from "../runtime/server/node.js";
import { handleWith, type MockedApi } from "./index.js";

/** Mocks that listen. */
export interface Listening {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Listens for requests to mocks. Rejects with what the system says of the port. */
export async function listenMocks(
  apis: readonly MockedApi[],
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> {
  const handle = toNodeListener({
    handle: (request) => handleWith(apis, request),
  });
  const bounds = { requestTimeout: 60_000, headersTimeout: 10_000 };
  const server = http.createServer(bounds, handle);
  server.maxConnections = 1000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    origin: `http://${name}:${actual}`,
    async close() {
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      await Promise.all(apis.map((api) => api.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}
