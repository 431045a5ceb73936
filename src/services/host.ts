import http from "node:http";
import type { AddressInfo } from "node:net";
import {
  toNodeListener,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import type { Service } from "./service.js";

/** A server of HTTP with services on it. */
export interface Host {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  /** Stops listening, lets what is under way end, closes the services. */
  close(): Promise<void>;
}

/** Listens, and gives each request to the service whose path it has. */
export async function listen(
  services: readonly Service[],
  { port = 0, host = "127.0.0.1" }: { port?: number; host?: string } = {},
): Promise<Host> {
  const handle = (request: Incoming): Outgoing | Promise<Outgoing> =>
    serviceFor(services, request.target)?.handle(request) ?? nobody();
  const server = http.createServer(
    { requestTimeout: 60_000, headersTimeout: 10_000 },
    toNodeListener({ handle }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${actual}`,
    async close() {
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      await Promise.all(services.map((service) => service.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function serviceFor(
  services: readonly Service[],
  target: string,
): Service | undefined {
  const [path = "/"] = target.split("?", 1);
  return services.find(({ paths }) =>
    paths.some((start) =>
      start.endsWith("/") && start !== "/"
        ? path.startsWith(start)
        : path === start,
    ),
  );
}

function nobody(): Outgoing {
  return {
    status: 404,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"error":{"code":404,"message":"No service has this path."}}\n',
  };
}
