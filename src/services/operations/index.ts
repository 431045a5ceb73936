/** Health, readiness and metrics of a generated server, on a port of their own. */
import type { LogEntry } from "../../runtime/server/options.js";
import { listenForProbes, type ReadinessCheck } from "./endpoints.js";
import { Metrics, type ReadGauges } from "./metrics.js";

export type { ReadinessCheck } from "./endpoints.js";

/** Address, checks and gauges of {@link openOperations}. */
export interface OperationsOptions {
  /** Port to listen on; 0 selects a free port. Default: 9090. */
  readonly port?: number;
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Value of the label `service`. Default: `server`. */
  readonly service?: string;
  /**
   * Checks of `/readyz` by name. A check resolves with the reason why requests
   * can't be served, otherwise with undefined; it fails after 2 seconds.
   */
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  /** Returns current values for `/metrics` by the name of their metric. */
  readonly gauges?: ReadGauges;
}

/** Endpoints `/healthz`, `/readyz` and `/metrics` of a process. */
export interface Operations {
  /** Origin of the endpoints, such as `http://127.0.0.1:9090`. */
  readonly origin: string;
  /**
   * Counts a request. Pass it to the server: `createXServer(service, { log:
   * operations.log })`.
   */
  readonly log: (entry: LogEntry) => void;
  /** Makes `/readyz` respond with 503, so that load balancers stop sending requests. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Listens for probes and scrapes of a process with generated servers. The
 * metrics have the format of Prometheus.
 *
 * @throws Error if the address can't be used
 */
export async function openOperations({
  port = 9090,
  host = "127.0.0.1",
  service = "server",
  checks = {},
  gauges,
}: OperationsOptions = {}): Promise<Operations> {
  const metrics = new Metrics();
  if (gauges !== undefined) metrics.addGauges(gauges);
  let isDraining = false;
  const endpoints = await listenForProbes(
    { port, host },
    {
      phase: () => (isDraining ? "draining" : "serving"),
      checks: new Map(Object.entries(checks)),
      metrics: () => metrics.scrape(),
    },
  );
  return {
    origin: endpoints.origin,
    log: ({ method, status, duration }) =>
      metrics.observe({
        service,
        event: "request",
        method: method?.id,
        status,
        ms: duration,
      }),
    drain() {
      isDraining = true;
    },
    close: () => endpoints.close(),
  };
}
