import http from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Check of a dependency. Resolves with the reason why requests can't be served,
 * or with undefined if they can. A rejection counts as a failure without details.
 */
export type ReadinessCheck = () => Promise<string | undefined>;

/** State that the endpoints of a process report. */
export interface OperationsState {
  /** State of the process; only `serving` is ready for requests. */
  readonly phase: () => "starting" | "serving" | "draining";
  /** Checks by name, such as `store`. */
  readonly checks: ReadonlyMap<string, ReadinessCheck>;
  readonly metrics: () => Promise<{
    readonly type: string;
    readonly text: string;
  }>;
}

/** Address of the endpoints. */
export interface OperationsAddress {
  /** Port to listen on; 0 selects a free port. */
  readonly port: number;
  readonly host: string;
}

/** Endpoints that listen for probes and scrapes. */
export interface OperationsEndpoints {
  /** Origin of the endpoints, such as `http://127.0.0.1:9090`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Milliseconds after which a check counts as failed. */
const CHECK_TIME = 2_000;

/** Maximum number of connections of probes and scrapers. */
const CONNECTIONS = 100;

/**
 * Listens for `/healthz`, `/readyz` and `/metrics`.
 *
 * @throws Error if the address can't be used
 */
export async function listenForProbes(
  { port, host }: OperationsAddress,
  state: OperationsState,
): Promise<OperationsEndpoints> {
  const server = http.createServer(
    { headersTimeout: 5_000, requestTimeout: 5_000, maxHeaderSize: 8_192 },
    (request, response) => {
      void respond(request, state).then(({ status, type, body }) => {
        response.writeHead(status, {
          "content-type": type,
          "cache-control": "no-store",
          "content-length": Buffer.byteLength(body),
          ...(status === 405 ? { allow: "GET, HEAD" } : {}),
        });
        response.end(request.method === "HEAD" ? undefined : body);
      });
    },
  );
  server.maxConnections = CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // Probes must neither delay the exit of the process nor prevent it.
  server.unref();
  const { port: actual, family, address } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    origin: `http://${name}:${actual}`,
    async close() {
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      server.closeAllConnections();
      await closed;
    },
  };
}

interface ProbeResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function respond(
  { method, url = "/" }: http.IncomingMessage,
  state: OperationsState,
): Promise<ProbeResponse> {
  if (method !== "GET" && method !== "HEAD")
    return json(405, { status: "method not allowed" });
  const [path] = url.split("?", 1);
  if (path === "/healthz") return json(200, { status: "ok" });
  if (path === "/readyz") return readiness(state);
  if (path !== "/metrics") return json(404, { status: "not found" });
  try {
    const { type, text } = await state.metrics();
    return { status: 200, type, body: text };
  } catch {
    return json(500, { status: "metrics unavailable" });
  }
}

async function readiness({
  phase,
  checks,
}: OperationsState): Promise<ProbeResponse> {
  const current = phase();
  const results = await Promise.all(
    [...checks].map(
      async ([name, check]) =>
        [name, (await problemOf(check)) ?? "ok"] as const,
    ),
  );
  const isReady =
    current === "serving" && results.every(([, result]) => result === "ok");
  return json(isReady ? 200 : 503, {
    status: isReady ? "ok" : current === "serving" ? "unavailable" : current,
    checks: Object.fromEntries(results),
  });
}

/** Returns the reason why a check fails; undefined if it succeeds. */
async function problemOf(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    const message = `no result within ${CHECK_TIME} ms`;
    timer = setTimeout(resolve, CHECK_TIME, message);
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch {
    return "failed";
  } finally {
    clearTimeout(timer);
  }
}

function json(status: number, value: object): ProbeResponse {
  return {
    status,
    type: "application/json; charset=utf-8",
    body: `${JSON.stringify(value)}\n`,
  };
}
